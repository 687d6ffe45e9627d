import { useSignal } from '@preact/signals';
import type { Key, MadeWithKey, MerchantResponse } from '#sdk';
import { isAlive, listAllKeys, listAllMerchants } from '../../../data/all-keys.js';
import { client, isOperator, may, ownKey } from '../../../data/session.js';
import { loadKeyNames } from '../../../data/key-names.js';
import { t, tx } from '../../../text/t.js';
import { Button } from '../../../ui/button.js';
import { ConfirmDialog } from '../../../ui/dialogs.js';
import { Empty, RowActions, Table } from '../../../ui/table.js';
import { toAgo } from '../../../text/format.js';
import { now } from '../../../ui/now.js';
import { say } from '../../../ui/toasts.js';
import { WhenLoaded, useLoad } from '../../../ui/loading.js';
import { useTitle } from '../../../ui/use-title.js';
import { nameOfStore } from '../../../data/stores.js';
import { AlsoEnd, toQuery } from '../also-end.js';
import { AssistantDialog } from './assistant-dialog.js';
import { LinkDialog } from './link-dialog.js';
import { PersonDialog } from './person-dialog.js';
import { describeRole, mayManage } from './roles.js';
import './people.css';

type Opened =
  { readonly is: 'new' | 'assistant' } | { readonly is: 'link' | 'change' | 'end'; readonly key: Key };

/** Who is let in: each person and each device with a key of its own, which never shows. */
export function PeoplePage() {
  useTitle(t('people_and_tablets'), 'Comanda');
  if (may('keys:write')) return <People />;
  return (
    <Empty icon="people" title={t('this_key_may_not_let_others_in')} isPage>
      <p>{t('ask_the_owner_or_the_person')}</p>
    </Empty>
  );
}

function People() {
  const loaded = useLoad(async (signal) => {
    const [keys, merchants] = await Promise.all([listAllKeys(signal), listAllMerchants(signal)]);
    return { keys: keys.filter((key) => key.kind === 'merchant' && isAlive(key)), merchants };
  }, []);
  const opened = useSignal<Opened | undefined>(undefined);
  const alsoEnds = useSignal<readonly (keyof MadeWithKey)[]>([]);
  const close = () => {
    opened.value = undefined;
    alsoEnds.value = [];
  };
  const changed = () => {
    loaded.reload();
    loadKeyNames().catch(() => undefined);
  };
  const open = opened.value;
  return (
    <>
      <header>
        <h1>{t('people_and_tablets')}</h1>
        <Button onClick={() => (opened.value = { is: 'assistant' })}>{t('connect_an_assistant')}</Button>
        <Button look="primary" icon="plus" onClick={() => (opened.value = { is: 'new' })}>
          {t('let_someone_in')}
        </Button>
      </header>
      <WhenLoaded of={loaded} busy={t('reading_who_is_let_in')}>
        {({ keys, merchants }) =>
          keys.length === 0 ? (
            <Empty icon="people" title={t('nobody_has_been_let_in_yet')}>
              <p>{t('make_a_link_for_each_colleague')}</p>
            </Empty>
          ) : (
            <PeopleTable keys={keys} merchants={merchants} onOpen={(next) => (opened.value = next)} />
          )
        }
      </WhenLoaded>
      {(open?.is === 'new' || open?.is === 'change') && (
        <PersonDialog
          of={open.is === 'change' ? open.key : undefined}
          merchants={loaded.value.value?.merchants ?? []}
          onClose={close}
          onSaved={(key) => {
            opened.value = open.is === 'new' ? { is: 'link', key } : undefined;
            changed();
          }}
        />
      )}
      {open?.is === 'assistant' && (
        <AssistantDialog merchants={loaded.value.value?.merchants ?? []} onClose={close} onSaved={changed} />
      )}
      {open?.is === 'link' && <LinkDialog of={open.key} onClose={close} />}
      {open?.is === 'end' && (
        <ConfirmDialog
          title={t('end_the_access')}
          confirm={t('end_access')}
          onConfirm={async () => {
            await client.revokeKey(open.key.id, toQuery(alsoEnds.value));
            say(t('the_access_is_ended'));
            close();
            changed();
          }}
          onClose={close}
        >
          <p>{tx('name_is_signed_out_with_the', { name: <bdi>{nameOfKey(open.key)}</bdi> })}</p>
          <AlsoEnd keyId={open.key.id} chosen={alsoEnds} />
        </ConfirmDialog>
      )}
    </>
  );
}

interface PeopleTableProps {
  readonly keys: readonly Key[];
  readonly merchants: readonly MerchantResponse[];
  readonly onOpen: (opened: Opened) => void;
}

function PeopleTable({ keys, merchants, onOpen }: PeopleTableProps) {
  return (
    <Table columns={[t('name'), t('where'), t('role'), t('last_used'), t('change')]}>
      {keys.map((key) => (
        <tr key={key.id}>
          <td class="lead">
            <span class="row">
              <bdi>{nameOfKey(key)}</bdi>
              {key.id === ownKey()?.id && <span class="badge ready">{t('you')}</span>}
            </span>
          </td>
          <td data-label={t('where')}>
            <span>
              <bdi>{describeStores(key)}</bdi>
              {isOperator() && (
                <div class="small soft">
                  <bdi>{merchants.find(({ id }) => id === key.merchant_id)?.brand_name}</bdi>
                </div>
              )}
            </span>
          </td>
          <td data-label={t('role')}>{describeRole(key)}</td>
          <td data-label={t('last_used')} class="tight">
            {key.last_used_at === undefined ? t('never') : toAgo(key.last_used_at, now.peek())}
          </td>
          <td class="bare">
            {mayManage(key) && (
              <RowActions
                of={nameOfKey(key)}
                actions={ACTIONS.map(({ is, label }) => ({
                  label,
                  isDangerous: is === 'end',
                  onPress: () => onOpen({ is, key }),
                }))}
              />
            )}
          </td>
        </tr>
      ))}
    </Table>
  );
}

const ACTIONS = [
  { is: 'link', label: t('new_link') },
  { is: 'change', label: t('change') },
  { is: 'end', label: t('end_access') },
] as const;

function nameOfKey({ label, last_four: lastFour }: Key): string {
  return label ?? t('key_digits', { digits: lastFour });
}

function describeStores({ store_ids: storeIds }: Key): string {
  if (storeIds === undefined) return t('all_stores');
  const [first] = storeIds;
  return storeIds.length === 1 && first !== undefined
    ? nameOfStore(first)
    : t('count_stores', { count: storeIds.length });
}

import { useSignal } from '@preact/signals';
import type { Key, KeyCreated, MerchantResponse } from '#sdk';
import { isAlive, listAllKeys, listAllMerchants } from '../../../data/all-keys.js';
import { t } from '../../../text/t.js';
import { Button } from '../../../ui/button.js';
import { Empty, RowActions, Table } from '../../../ui/table.js';
import { toAgo, toDateTime } from '../../../text/format.js';
import { now } from '../../../ui/now.js';
import { SecretDialog } from '../../../ui/dialogs.js';
import { WhenLoaded, useLoad } from '../../../ui/loading.js';
import { useTitle } from '../../../ui/use-title.js';
import { isOperator, ownKey } from '../../../data/session.js';
import { IssueDialog, RevokeDialog, RotateDialog } from './key-dialogs.js';

type Opened =
  | { readonly is: 'issue' }
  | { readonly is: 'rotate' | 'revoke'; readonly key: Key }
  | { readonly is: 'secret'; readonly key: KeyCreated };

/** Who may come in, with what rights, and since when they were last here. */
export function KeysPage() {
  useTitle(t('keys'), 'Comanda');
  if (isOperator()) return <Keys />;
  return (
    <Empty icon="keys" title={t('keys_are_the_operators')} isPage>
      <p>{t('sign_in_with_an_operator_key')}</p>
    </Empty>
  );
}

function Keys() {
  const loaded = useLoad(async (signal) => {
    const [keys, merchants] = await Promise.all([listAllKeys(signal), listAllMerchants(signal)]);
    return { keys, merchants };
  }, []);
  const opened = useSignal<Opened | undefined>(undefined);
  const isShowingDead = useSignal(false);
  const close = () => (opened.value = undefined);
  const showSecret = (key: KeyCreated) => {
    opened.value = { is: 'secret', key };
    loaded.reload();
  };
  const found = loaded.value.value;
  const dead = found?.keys.filter((key) => !isAlive(key)).length ?? 0;
  const shown = found?.keys.filter((key) => isShowingDead.value || isAlive(key)) ?? [];
  return (
    <>
      <header>
        <h1>{t('keys')}</h1>
        <Button look="primary" icon="plus" onClick={() => (opened.value = { is: 'issue' })}>
          {t('issue_a_key')}
        </Button>
      </header>
      <WhenLoaded of={loaded} busy={t('reading_the_keys')}>
        {({ merchants }) =>
          shown.length === 0 ? (
            <Empty icon="keys" title={t('no_key_is_in_use')}>
              <p>{t('issue_one_for_each_device_and')}</p>
            </Empty>
          ) : (
            <KeyTable
              keys={shown}
              merchants={merchants}
              onRotate={(key) => (opened.value = { is: 'rotate', key })}
              onRevoke={(key) => (opened.value = { is: 'revoke', key })}
            />
          )
        }
      </WhenLoaded>
      {dead > 0 && (
        <Button look="quiet" onClick={() => (isShowingDead.value = !isShowingDead.value)}>
          {isShowingDead.value
            ? t('hide_those_that_no_longer_work')
            : t('show_count_that_no_longer_work', { count: dead })}
        </Button>
      )}
      {opened.value?.is === 'issue' && (
        <IssueDialog merchants={found?.merchants ?? []} onClose={close} onIssued={showSecret} />
      )}
      {opened.value?.is === 'rotate' && (
        <RotateDialog of={opened.value.key} onClose={close} onRotated={showSecret} />
      )}
      {opened.value?.is === 'revoke' && (
        <RevokeDialog
          of={opened.value.key}
          isLastOperator={isLastOperator(opened.value.key, found?.keys ?? [])}
          onClose={close}
          onRevoked={() => {
            close();
            loaded.reload();
          }}
        />
      )}
      {opened.value?.is === 'secret' && (
        <SecretDialog title={t('the_new_key')} secret={opened.value.key.key ?? ''} onClose={close}>
          {t('the_service_keeps_only_a_hash')}
        </SecretDialog>
      )}
    </>
  );
}

function isLastOperator(key: Key, keys: readonly Key[]): boolean {
  return key.kind === 'operator' && keys.filter((one) => one.kind === 'operator' && isAlive(one)).length <= 1;
}

interface KeyTableProps {
  readonly keys: readonly Key[];
  readonly merchants: readonly MerchantResponse[];
  readonly onRotate: (key: Key) => void;
  readonly onRevoke: (key: Key) => void;
}

function KeyTable({ keys, merchants, onRotate, onRevoke }: KeyTableProps) {
  return (
    <Table
      columns={[t('key'), t('for_key'), t('may_permission'), t('last_used'), t('works_until'), t('change')]}
    >
      {keys.map((key) => (
        <tr key={key.id}>
          <td class="lead">
            <span class="row">
              <bdi>{key.label ?? t('without_a_name')}</bdi>
              {key.id === ownKey()?.id && <span class="badge ready">{t('this_session')}</span>}
            </span>
            <div class="small soft mono">…{key.last_four}</div>
          </td>
          <td data-label={t('for_key')}>
            <span>
              <bdi>{key.kind === 'operator' ? t('operator') : nameOf(merchants, key.merchant_id)}</bdi>
              {key.store_ids !== undefined && (
                <div class="small soft">{t('count_of_its_stores', { count: key.store_ids.length })}</div>
              )}
            </span>
          </td>
          <td data-label={t('may_permission')}>
            <span class="row">
              {key.kind === 'operator' ? (
                <span class="badge">{t('everything_inline')}</span>
              ) : (
                key.permissions.map((permission) => (
                  <span key={permission} class="badge">
                    {permission}
                  </span>
                ))
              )}
            </span>
          </td>
          <td data-label={t('last_used')} class="tight">
            {key.last_used_at === undefined ? t('never') : toAgo(key.last_used_at, now.peek())}
          </td>
          <td data-label={t('works_until')} class="tight">
            {describeEnd(key)}
          </td>
          <td class="bare">
            {isAlive(key) && (
              <RowActions
                of={key.label ?? key.last_four}
                actions={[
                  { label: t('rotate'), onPress: () => onRotate(key) },
                  { label: t('revoke'), isDangerous: true, onPress: () => onRevoke(key) },
                ]}
              />
            )}
          </td>
        </tr>
      ))}
    </Table>
  );
}

function describeEnd({ revoked_at: revoked, expires_at: expires }: Key): string {
  if (revoked !== undefined) return t('revoked_time_utc', { time: toDateTime(revoked, 'UTC') });
  return expires === undefined ? t('no_end_set') : `${toDateTime(expires, 'UTC')} UTC`;
}

function nameOf(merchants: readonly MerchantResponse[], id: string | undefined): string {
  return merchants.find((merchant) => merchant.id === id)?.brand_name ?? id ?? '';
}

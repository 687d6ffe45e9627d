import { useSignal } from '@preact/signals';
import type { Webhook } from '#sdk';
import { client } from '../../../data/client.js';
import { t } from '../../../text/t.js';
import { Empty } from '../../../ui/empty.js';
import { toAgo } from '../../../text/format.js';
import { Icon } from '../../../ui/icon.js';
import { now } from '../../../ui/now.js';
import { SecretDialog } from '../../../ui/secret-dialog.js';
import { Table } from '../../../ui/table.js';
import { useLoad } from '../../../ui/use-load.js';
import { useTitle } from '../../../ui/use-title.js';
import { WhenLoaded } from '../../../ui/when-loaded.js';
import { toHref } from '../../../app/router.js';
import { may } from '../../../data/session.js';
import { WebhookDialog } from './webhook-dialog.js';
import './webhooks.css';

/** The addresses that are told of what happens. */
export function WebhooksPage() {
  useTitle(t('Webhooks'), 'Comanda');
  return may('webhooks:write') ? <Endpoints /> : <NotForThisKey />;
}

export function NotForThisKey() {
  return (
    <Empty icon="webhooks" title={t('This key may not see webhooks')} isPage>
      <p>{t('It needs the permission webhooks:write. The operator can issue such a key.')}</p>
    </Empty>
  );
}

function Endpoints() {
  const loaded = useLoad((signal) => client.listWebhooks({ limit: 1000 }, { signal }), []);
  const isMaking = useSignal(false);
  const secret = useSignal<string | undefined>(undefined);
  return (
    <>
      <header>
        <h1>{t('Webhooks')}</h1>
        <button type="button" class="button primary" onClick={() => (isMaking.value = true)}>
          <Icon name="plus" />
          {t('New endpoint')}
        </button>
      </header>
      <WhenLoaded of={loaded} busy={t('Reading the endpoints')}>
        {(webhooks) =>
          webhooks.length === 0 ? (
            <Empty icon="webhooks" title={t('No endpoint yet')}>
              <p>
                {t(
                  'An endpoint is an address of yours that is told of each order and each change of the menu, in order, until it says that it has heard. Make one, then send it a test.',
                )}
              </p>
            </Empty>
          ) : (
            <WebhookTable webhooks={webhooks} />
          )
        }
      </WhenLoaded>
      {isMaking.value && (
        <WebhookDialog
          onClose={() => (isMaking.value = false)}
          onSaved={(made) => {
            isMaking.value = false;
            secret.value = made;
            loaded.reload();
          }}
        />
      )}
      {secret.value !== undefined && (
        <SecretDialog
          title={t('The signing secret')}
          secret={secret.value}
          onClose={() => (secret.value = undefined)}
        >
          {t('Your receiver checks the signature of each delivery with it.')}
        </SecretDialog>
      )}
    </>
  );
}

function WebhookTable({ webhooks }: { readonly webhooks: readonly Webhook[] }) {
  return (
    <Table columns={[t('Endpoint'), t('Stores'), t('Told of'), t('Last heard'), t('Status')]}>
      {webhooks.map((webhook) => (
        <tr key={webhook.id}>
          <td class="lead">
            <a href={toHref(`/webhooks/${webhook.id}`)}>
              <bdi>{webhook.label ?? webhook.url}</bdi>
            </a>
            {webhook.label !== undefined && (
              <div class="small soft">
                <bdi>{webhook.url}</bdi>
              </div>
            )}
          </td>
          <td data-label={t('Stores')}>{webhook.store_ids?.length ?? t('All#stores')}</td>
          <td data-label={t('Told of')}>{webhook.types?.join(', ') ?? t('Everything')}</td>
          <td data-label={t('Last heard')} class="tight">
            {webhook.last_success_at === undefined ? t('Never') : toAgo(webhook.last_success_at, now.peek())}
          </td>
          <td data-label={t('Status')}>
            <WebhookStatus status={webhook.status} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

export function WebhookStatus({ status }: Pick<Webhook, 'status'>) {
  return (
    <span class={`badge ${status === 'active' ? 'ready' : 'bad'}`}>
      {status === 'active' ? t('Active') : t('Disabled')}
    </span>
  );
}

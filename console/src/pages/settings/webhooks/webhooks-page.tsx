import { useSignal } from '@preact/signals';
import type { Webhook } from '#sdk';
import { client, may } from '../../../data/session.js';
import { t } from '../../../text/t.js';
import { Button } from '../../../ui/button.js';
import { Empty, Table } from '../../../ui/table.js';
import { toAgo, toList } from '../../../text/format.js';
import { now } from '../../../ui/now.js';
import { SecretDialog } from '../../../ui/dialogs.js';
import { WhenLoaded, useLoad } from '../../../ui/loading.js';
import { useTitle } from '../../../ui/use-title.js';
import { toHref } from '../../../app/router.js';
import { WebhookDialog } from './webhook-dialog.js';
import './webhooks.css';

/** The addresses that are told of what happens. */
export function WebhooksPage() {
  useTitle(t('webhooks'), 'Comanda');
  return may('webhooks:write') ? <Endpoints /> : <NotForThisKey />;
}

export function NotForThisKey() {
  return (
    <Empty icon="webhooks" title={t('this_key_may_not_see_webhooks')} isPage>
      <p>{t('it_needs_the_permission_webhooks_write')}</p>
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
        <h1>{t('webhooks')}</h1>
        <Button look="primary" icon="plus" onClick={() => (isMaking.value = true)}>
          {t('new_endpoint')}
        </Button>
      </header>
      <WhenLoaded of={loaded} busy={t('reading_the_endpoints')}>
        {(webhooks) =>
          webhooks.length === 0 ? (
            <Empty icon="webhooks" title={t('no_endpoint_yet')}>
              <p>{t('an_endpoint_is_an_address_of')}</p>
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
          title={t('the_signing_secret')}
          secret={secret.value}
          onClose={() => (secret.value = undefined)}
        >
          {t('your_receiver_checks_the_signature_of')}
        </SecretDialog>
      )}
    </>
  );
}

function WebhookTable({ webhooks }: { readonly webhooks: readonly Webhook[] }) {
  return (
    <Table columns={[t('endpoint'), t('stores'), t('told_of'), t('last_heard'), t('status')]}>
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
          <td data-label={t('stores')}>{webhook.store_ids?.length ?? t('all_stores_short')}</td>
          <td data-label={t('told_of')}>
            {webhook.types === undefined ? t('everything') : toList(webhook.types)}
          </td>
          <td data-label={t('last_heard')} class="tight">
            {webhook.last_success_at === undefined ? t('never') : toAgo(webhook.last_success_at, now.peek())}
          </td>
          <td data-label={t('status')}>
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
      {status === 'active' ? t('active') : t('disabled')}
    </span>
  );
}

import { useSignal } from '@preact/signals';
import type { WebhookDetails } from '#sdk';
import { client } from '../../../data/client.js';
import { t } from '../../../text/t.js';
import { tx } from '../../../text/tx.js';
import { ConfirmDialog } from '../../../ui/confirm-dialog.js';
import { Icon } from '../../../ui/icon.js';
import { SecretDialog } from '../../../ui/secret-dialog.js';
import { say } from '../../../ui/toasts.js';
import { Trouble } from '../../../ui/error-notice.js';
import { useLoad } from '../../../ui/use-load.js';
import { useTask } from '../../../ui/use-task.js';
import { useTitle } from '../../../ui/use-title.js';
import { WhenLoaded } from '../../../ui/when-loaded.js';
import { navigate, toHref } from '../../../app/router.js';
import { may } from '../../../data/session.js';
import { Deliveries } from './deliveries.js';
import { toOutcome } from './event-words.js';
import { Lag } from './lag.js';
import { Parked } from './parked.js';
import { ReplayDialog } from './replay-dialog.js';
import { WebhookDialog } from './webhook-dialog.js';
import { NotForThisKey, WebhookStatus } from './webhooks-page.js';
import './webhooks.css';

const DELIVERIES = 100;

type Opened = 'edit' | 'replay' | 'remove' | { readonly secret: string };

/** One endpoint: whether it keeps up, what was sent to it and what it answered. */
export function WebhookPage({ webhookId }: { readonly webhookId: string }) {
  useTitle(t('Webhook'), 'Comanda');
  return may('webhooks:write') ? <Endpoint id={webhookId} /> : <NotForThisKey />;
}

function Endpoint({ id }: { readonly id: string }) {
  const loaded = useLoad(
    async (signal) => {
      const [webhook, deliveries] = await Promise.all([
        client.getWebhook(id, { signal }),
        client.listWebhookDeliveries(id, { limit: DELIVERIES }, { signal }),
      ]);
      return { webhook, deliveries };
    },
    [id],
  );
  const opened = useSignal<Opened | undefined>(undefined);
  const webhook = loaded.value.value?.webhook;
  const close = () => (opened.value = undefined);
  const closeAndReload = () => {
    close();
    loaded.reload();
  };
  return (
    <>
      <header>
        <div>
          <a href={toHref('/webhooks')} class="row small">
            <Icon name="left" />
            {t('All webhooks')}
          </a>
          <h1>
            <bdi>{webhook?.label ?? webhook?.url ?? t('Webhook')}</bdi>
          </h1>
        </div>
        {webhook !== undefined && <WebhookStatus status={webhook.status} />}
      </header>
      <WhenLoaded of={loaded} busy={t('Reading the endpoint')}>
        {(found) => (
          <div class="stack">
            <Actions
              webhook={found.webhook}
              onChanged={loaded.reload}
              onOpen={(what) => (opened.value = what)}
            />
            <Lag lag={found.webhook.lag} />
            <Parked webhook={found.webhook} onSent={loaded.reload} />
            <Deliveries deliveries={found.deliveries} onLookAgain={loaded.reload} />
            {opened.value === 'edit' && (
              <WebhookDialog webhook={found.webhook} onClose={close} onSaved={closeAndReload} />
            )}
            {opened.value === 'replay' && (
              <ReplayDialog webhook={found.webhook} onClose={close} onMoved={closeAndReload} />
            )}
            {opened.value === 'remove' && <RemoveDialog webhook={found.webhook} onClose={close} />}
          </div>
        )}
      </WhenLoaded>
      {typeof opened.value === 'object' && (
        <SecretDialog
          title={t('The new signing secret')}
          secret={opened.value.secret}
          onClose={closeAndReload}
        >
          {t('For 24 hours each delivery is signed with the old one too.')}
        </SecretDialog>
      )}
    </>
  );
}

const DISABLED_WORDS: Readonly<Record<NonNullable<WebhookDetails['disabled_reason']>, string>> = {
  requested: t(
    'Someone has disabled it. Events are kept for it, and it goes on where it stood once it is enabled.',
  ),
  gone: t('It answered that it is gone for good (410), so nothing is sent to it any more.'),
  failing: t(
    'It has heard nothing for five days, so nothing is sent to it any more. Send a test, then enable it.',
  ),
};

interface ActionsProps {
  readonly webhook: WebhookDetails;
  readonly onChanged: () => void;
  readonly onOpen: (what: Opened) => void;
}

function Actions({ webhook, onChanged, onOpen }: ActionsProps) {
  const { isBusy, error, run } = useTask();
  const isActive = webhook.status === 'active';
  const test = async () => {
    const trial = await client.testWebhook(webhook.id);
    const outcome = toOutcome(trial);
    say(
      trial.delivered
        ? t('It has heard: {outcome} in {ms} ms', { outcome, ms: String(trial.latency_ms) })
        : t('It has not heard: {outcome}', { outcome }),
    );
    onChanged();
  };
  const change = async () => {
    await client.changeWebhook(webhook.id, { status: isActive ? 'disabled' : 'active' });
    onChanged();
  };
  const rotate = async () => {
    const { secret } = await client.rotateWebhookSecret(webhook.id);
    if (secret !== undefined) onOpen({ secret });
  };
  const troubles = [
    ...(webhook.disabled_reason === undefined ? [] : [DISABLED_WORDS[webhook.disabled_reason]]),
    ...(webhook.secret_readable
      ? []
      : [
          t(
            'The service can no longer read the secret of this endpoint; nothing is sent until it has a new one.',
          ),
        ]),
  ];
  return (
    <>
      {troubles.map((words) => (
        <p class="notice" key={words}>
          <Icon name="warning" />
          <span>{words}</span>
        </p>
      ))}
      {error.value !== undefined && <Trouble error={error.value} />}
      <div class="row">
        <button type="button" class="button primary" disabled={isBusy.value} onClick={() => run(test)}>
          {isBusy.value ? t('One moment') : t('Send a test')}
        </button>
        <button type="button" class="button" onClick={() => onOpen('edit')}>
          {t('Edit')}
        </button>
        {webhook.lag.length > 0 && (
          <button type="button" class="button" onClick={() => onOpen('replay')}>
            {t('Send again')}
          </button>
        )}
        <button type="button" class="button" disabled={isBusy.value} onClick={() => run(rotate)}>
          {t('New secret')}
        </button>
        <button type="button" class="button" disabled={isBusy.value} onClick={() => run(change)}>
          {isActive ? t('Disable') : t('Enable')}
        </button>
        <button type="button" class="button danger" onClick={() => onOpen('remove')}>
          {t('Remove')}
        </button>
      </div>
    </>
  );
}

interface RemoveDialogProps {
  readonly webhook: WebhookDetails;
  readonly onClose: () => void;
}

function RemoveDialog({ webhook, onClose }: RemoveDialogProps) {
  const remove = async () => {
    await client.removeWebhook(webhook.id);
    say(t('The endpoint is removed'));
    navigate(toHref('/webhooks'));
  };
  return (
    <ConfirmDialog
      title={t('Remove the endpoint?')}
      confirm={t('Remove')}
      onConfirm={remove}
      onClose={onClose}
    >
      <p>
        {tx('{url} is told nothing any more, and the record of its deliveries goes with it.', {
          url: <bdi>{webhook.url}</bdi>,
        })}
      </p>
    </ConfirmDialog>
  );
}

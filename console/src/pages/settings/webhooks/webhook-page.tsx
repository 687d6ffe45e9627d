import { useSignal } from '@preact/signals';
import type { WebhookDetails } from '#sdk';
import { client, may } from '../../../data/session.js';
import { t, tx } from '../../../text/t.js';
import { Button } from '../../../ui/button.js';
import { ConfirmDialog, SecretDialog } from '../../../ui/dialogs.js';
import { Icon } from '../../../ui/icon.js';
import { Notice } from '../../../ui/notice.js';
import { say } from '../../../ui/toasts.js';
import { Trouble, WhenLoaded, useLoad, useTask } from '../../../ui/loading.js';
import { useTitle } from '../../../ui/use-title.js';
import { navigate, toHref } from '../../../app/router.js';
import { Deliveries, Lag, Parked } from './webhook-parts.js';
import { toOutcome } from '../../../text/code-words.js';
import { ReplayDialog } from './replay-dialog.js';
import { WebhookDialog } from './webhook-dialog.js';
import { NotForThisKey, WebhookStatus } from './webhooks-page.js';
import './webhooks.css';

const DELIVERIES = 100;

type Opened = 'edit' | 'replay' | 'remove' | { readonly secret: string };

/** One endpoint: whether it keeps up, what was sent to it and what it answered. */
export function WebhookPage({ webhookId }: { readonly webhookId: string }) {
  useTitle(t('webhook'), 'Comanda');
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
            {t('all_webhooks')}
          </a>
          <h1>
            <bdi>{webhook?.label ?? webhook?.url ?? t('webhook')}</bdi>
          </h1>
        </div>
        {webhook !== undefined && <WebhookStatus status={webhook.status} />}
      </header>
      <WhenLoaded of={loaded} busy={t('reading_the_endpoint')}>
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
          title={t('the_new_signing_secret')}
          secret={opened.value.secret}
          onClose={closeAndReload}
        >
          {t('for_24_hours_each_delivery_is')}
        </SecretDialog>
      )}
    </>
  );
}

const DISABLED_WORDS: Readonly<Record<NonNullable<WebhookDetails['disabled_reason']>, string>> = {
  requested: t('someone_has_disabled_it_events_are'),
  gone: t('it_answered_that_it_is_gone'),
  failing: t('it_has_heard_nothing_for_five'),
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
        ? t('it_has_heard_outcome_in_ms_ms', { outcome, ms: String(trial.latency_ms) })
        : t('it_has_not_heard_outcome', { outcome }),
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
    ...(webhook.secret_readable ? [] : [t('the_service_can_no_longer_read')]),
  ];
  return (
    <>
      {troubles.map((words) => (
        <Notice key={words}>{words}</Notice>
      ))}
      <Trouble error={error.value} />
      <div class="row">
        <Button look="primary" disabled={isBusy.value} onClick={() => run(test)}>
          {isBusy.value ? t('one_moment') : t('send_a_test')}
        </Button>
        <Button onClick={() => onOpen('edit')}>{t('edit')}</Button>
        {webhook.lag.length > 0 && <Button onClick={() => onOpen('replay')}>{t('send_again')}</Button>}
        <Button disabled={isBusy.value} onClick={() => run(rotate)}>
          {t('new_secret')}
        </Button>
        <Button disabled={isBusy.value} onClick={() => run(change)}>
          {isActive ? t('disable') : t('enable')}
        </Button>
        <Button look="danger" onClick={() => onOpen('remove')}>
          {t('remove')}
        </Button>
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
    say(t('the_endpoint_is_removed'));
    navigate(toHref('/webhooks'));
  };
  return (
    <ConfirmDialog
      title={t('remove_the_endpoint')}
      confirm={t('remove')}
      onConfirm={remove}
      onClose={onClose}
    >
      <p>
        {tx('url_is_told_nothing_any_more', {
          url: <bdi>{webhook.url}</bdi>,
        })}
      </p>
    </ConfirmDialog>
  );
}

import {
  ApiError,
  PreconditionFailedError,
  type ErrorDetail,
  type ManagedStore,
  type MenuChangeResult,
} from '#sdk';
import { useSignal } from '@preact/signals';
import { client } from '../../../data/session.js';
import { timezoneOf } from '../../../data/stores.js';
import { toDateTime, toList } from '../../../text/format.js';
import { fromWall } from '../../../../../src/calendar/wall-clock.js';
import { t } from '../../../text/t.js';
import { Changes } from '../changes/changes.js';
import { RateChanges } from '../changes/price-notices.js';
import { toChanges, toRateChanges } from '../changes/to-changes.js';
import { Button } from '../../../ui/button.js';
import { Busy, Refusal, Trouble, useLoad, useTask } from '../../../ui/loading.js';
import { Icon } from '../../../ui/icon.js';
import { say, sayError } from '../../../ui/toasts.js';
import { navigate, toHref } from '../../../app/router.js';
import { LIST_OF, type Kind } from '../../../../../src/menus/kinds.js';
import { toMenuChanges, type Edit } from './draft.js';
import { nameOf } from './names.js';
import { canBePublishedAt, WhenField } from '../rollout/when-field.js';
import { Warnings } from './review-warnings.js';
import type { Draft } from './use-draft.js';

interface ReviewProps {
  readonly store: ManagedStore;
  readonly draft: Draft;
}

/** What publishing the draft would change, by the checks of the service, and the button that does it. */
export function Review({ store, draft }: ReviewProps) {
  const { published, edits } = draft;
  const { value, error, reload } = useLoad(
    (signal) => send(store.id, draft, { isDry: true, signal }),
    [store.id, published.version, edits],
  );
  const { isBusy, error: refusal, run } = useTask();
  const wall = useSignal('');
  const publish = async () => {
    try {
      if (wall.value !== '') {
        const at = new Date(fromWall(wall.value, timezoneOf(store))).toISOString();
        await client.createMenuPublication({
          menu: configurationOf(draft),
          store_ids: [store.id],
          at,
          expect: { [store.id]: published.version },
        });
        draft.removeSent(edits);
        say(t('the_menu_is_scheduled_for_time', { time: toDateTime(at, timezoneOf(store)) }));
        navigate(toHref(`/stores/${store.id}/versions`));
        return;
      }
      const { version } = await send(store.id, draft, { isDry: false });
      draft.removeSent(edits);
      const before = published.version;
      say(
        t('version_version_is_published', { version: String(version) }),
        before === 0
          ? undefined
          : { label: t('undo'), run: () => void undo(store.id, version, before).catch(sayError) },
      );
      navigate(toHref(`/stores/${store.id}/menu`));
    } catch (reason) {
      // Someone else was faster: the draft is held against what they published, and shown again.
      if (!(reason instanceof PreconditionFailedError)) throw reason;
      say(t('someone_else_has_published_meanwhile_your'));
      draft.reload();
    }
  };
  const found = value.value;
  const problem = refusal.value ?? error.value;
  return (
    <section class="stack" aria-label={t('what_publishing_changes')}>
      {problem !== undefined && <ChangeTrouble error={problem} edits={edits} draft={draft} retry={reload} />}
      {found === undefined ? (
        error.value === undefined && <Busy>{t('checking_the_changes')}</Busy>
      ) : (
        <>
          <Warnings found={found} draft={draft} />
          <div class="notice calm">
            <Icon name="menu" />
            <div>{t('nothing_has_been_published_yet')}</div>
            <Button
              look="primary"
              disabled={
                isBusy.value || error.value !== undefined || !canBePublishedAt(wall.value, timezoneOf(store))
              }
              onClick={() => run(publish)}
            >
              {isBusy.value ? t('publishing') : wall.value === '' ? t('publish') : t('schedule')}
            </Button>
          </div>
          <WhenField wall={wall} timezone={timezoneOf(store)} />
          <RateChanges changes={toRateChanges(found.diff, published.configuration, configurationOf(draft))} />
          <Changes
            diff={found.diff}
            changes={toChanges(found.diff, published.configuration, configurationOf(draft), store.currency)}
            beforeTitle={
              published.version === 0
                ? t('now')
                : t('now_version_version', { version: String(published.version) })
            }
            afterTitle={t('in_the_draft')}
          />
        </>
      )}
    </section>
  );
}

/** Puts back what was there before a version, unless someone else has published another since. */
async function undo(storeId: string, version: number, before: number): Promise<void> {
  try {
    await client.restoreMenuVersion(storeId, before, { expect: version });
  } catch (error) {
    if (!(error instanceof PreconditionFailedError)) throw error;
    say(t('someone_else_has_published_since_then'));
    return;
  }
  say(t('it_is_undone'));
}

function send(
  storeId: string,
  { published, edits }: Draft,
  { isDry, signal }: { readonly isDry: boolean; readonly signal?: AbortSignal },
): Promise<MenuChangeResult> {
  const headers = published.tag === '' ? {} : { 'if-match': published.tag };
  return client.changeMenu(
    storeId,
    { changes: toMenuChanges(edits) },
    { dry_run: isDry },
    { headers, signal },
  );
}

function configurationOf({ menu }: Draft) {
  const lists = Object.entries(LIST_OF).map(([kind, list]) => [list, [...menu[kind as Kind].values()]]);
  return Object.fromEntries(lists) as Parameters<typeof toChanges>[2];
}

interface ChangeTroubleProps {
  readonly error: unknown;
  readonly edits: readonly Edit[];
  readonly draft: Draft;
  readonly retry: () => void;
}

/** An error names the change by its number; people know it by the name of what they changed. */
function ChangeTrouble({ error, edits, draft, retry }: ChangeTroubleProps) {
  const { detail } = error instanceof ApiError ? error : { detail: undefined };
  if (!Array.isArray(detail)) return <Trouble error={error} retry={retry} />;
  const sentences = (detail as ErrorDetail[]).map(({ loc, msg }) => {
    const edit = loc[1] === 'changes' && typeof loc[2] === 'number' ? edits[loc[2]] : undefined;
    const name = edit && nameOf(draft.menu[edit.kind].get(edit.external_id), edit.external_id);
    const field = loc.slice(3).find((step) => typeof step === 'string' && step !== 'set');
    const about = toList([name, field].flatMap((part) => (part === undefined ? [] : String(part))));
    return (about === '' ? '' : `${about}: `) + msg.replace(/^Value error, /, '');
  });
  return <Refusal sentences={sentences} />;
}

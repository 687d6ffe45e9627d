import { t, tx } from '../../../text/t.js';
import type { ComponentChildren } from 'preact';
import { REASON_WORDS } from '../../../text/code-words.js';
import type { ManagedOrder, OrderChange } from '#sdk';
import { AMENDED_FIELDS } from '../../../../../src/orders/status.js';
import { client, may } from '../../../data/session.js';
import { whoOf } from '../../../data/key-names.js';
import { toDateTime } from '../../../text/format.js';
import { Button } from '../../../ui/button.js';
import { isOpen, type OrderStatus } from '../../../ui/order-status.js';
import { Trouble, useTask } from '../../../ui/loading.js';

interface HistoryProps {
  readonly order: ManagedOrder;
  readonly history: readonly OrderChange[];
  readonly timezone: string;
  readonly onChanged: () => void;
}

/** Who did what when; what may be undone can be, however long ago it was. */
export function History({ order, history, timezone, onChanged }: HistoryProps) {
  const { isBusy, error, run } = useTask();
  const undo = ({ field, from }: OrderChange) =>
    run(async () => {
      await client.changeOrder(order.id, { [field]: from ?? null });
      onChanged();
    });
  return (
    <section class="panel stack" aria-labelledby="history">
      <h2 id="history">{t('history')}</h2>
      <Trouble error={error.value} />
      <ol class="history">
        <li>
          <span class="number soft">{toDateTime(order.created_at, timezone)}</span>
          <span>{t('placed')}</span>
        </li>
        {history.map(
          (change, i) =>
            isToldBefore(history, i) || (
              <li key={i}>
                <span class="number soft">{toDateTime(change.time, timezone)}</span>
                <span>
                  {describe(
                    change,
                    <strong>
                      <bdi>{whoOf(change.key_id)}</bdi>
                    </strong>,
                    timezone,
                  )}
                </span>
                {isUndoable(order, history, i) && may('orders:write') && (
                  <Button
                    icon="undo"
                    aria-label={t('action_name', {
                      action: t('undo'),
                      name: toDateTime(change.time, timezone),
                    })}
                    disabled={isBusy.value}
                    onClick={() => undo(change)}
                  >
                    {t('undo')}
                  </Button>
                )}
              </li>
            ),
        )}
      </ol>
      {history.some(({ field }) => field === 'status') && (
        <p class="small soft">
          {isOpen(order.status) ? t('a_step_from_one_status_to') : t('a_step_from_one_status_to_the')}
        </p>
      )}
    </section>
  );
}

/** What was ordered and said changes in several fields at once, which is one sentence. */
function isToldBefore(history: readonly OrderChange[], i: number): boolean {
  const first = history.findIndex(({ time, field }) => time === history[i]?.time && AMENDED.has(field));
  return first !== -1 && first < i && AMENDED.has(history[i]?.field ?? 'status');
}

const AMENDED: ReadonlySet<string> = new Set(AMENDED_FIELDS);

const UNDOABLE = new Set<OrderChange['field']>(['ready_by', 'in_pos', 'customer_comments']);

/** The latest change of a field, while the order is open: the rules know no way back to an earlier status. */
function isUndoable({ status }: ManagedOrder, history: readonly OrderChange[], i: number): boolean {
  const field = history[i]?.field;
  const isLatest = history.findLastIndex((change) => change.field === field) === i;
  return isOpen(status) && isLatest && field !== undefined && UNDOABLE.has(field);
}

const ACTS: Readonly<Record<OrderStatus, (who: ComponentChildren) => ComponentChildren>> = {
  PENDING: (who) => tx('who_took_it_in', { who }),
  ACCEPTED: (who) => tx('who_accepted_it', { who }),
  READY: (who) => tx('who_made_it_ready', { who }),
  FULFILLED: (who) => tx('who_handed_it_over', { who }),
  REJECTED: (who) => tx('who_rejected_it', { who }),
  STORE_CANCELLED: (who) => tx('who_cancelled_it', { who }),
  CUSTOMER_CANCELLED: (who) => tx('who_cancelled_it_for_the_customer', { who }),
};

/** Who did what. */
function describe({ field, to }: OrderChange, who: ComponentChildren, timezone: string): ComponentChildren {
  switch (field) {
    case 'status':
      return ACTS[to as OrderStatus](who);
    case 'is_read':
      return to === true ? tx('who_saw_it', { who }) : tx('who_marked_it_as_not_seen', { who });
    case 'in_pos':
      return to === true
        ? tx('who_entered_it_in_the_till', { who })
        : tx('who_took_it_out_of_the_till', { who });
    case 'checked_menu_version':
      return tx('who_checked_it_against_version_version', { who, version: String(to) });
    case 'ready_by':
      return tx('who_promised_it_for_time', { who, time: toDateTime(String(to), timezone) });
    case 'reason':
      return tx('who_gave_the_reason_reason', {
        who,
        reason: REASON_WORDS[to as keyof typeof REASON_WORDS],
      });
    case 'reason_text':
      return to === undefined
        ? tx('who_gave_a_reason_in_words', { who })
        : tx('who_said_text', { who, text: <bdi>{to as string}</bdi> });
    case 'customer_comments':
      return to === undefined
        ? tx('who_removed_the_comment', { who })
        : tx('who_changed_the_comment_to_text', { who, text: <bdi>{(to as string).slice(0, 300)}</bdi> });
    case 'payments':
      return tx('who_recorded_a_payment', { who });
    default:
      return tx('who_changed_the_order', { who });
  }
}

import type { ItemMark } from '#sdk';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { directionOf } from '../../../text/languages.js';
import { language, t } from '../../../text/t.js';
import { formText } from '../../../ui/field.js';
import { fromWall, toWall } from '../../../../../src/calendar/wall-clock.js';
import { Button } from '../../../ui/button.js';

interface StockChoicesProps {
  readonly timezone: string;
  /** Where it is prepared; undefined where it is not known. */
  readonly station: string | undefined;
  /** What other items of the menu state. */
  readonly stations: readonly string[];
  readonly isBusy?: boolean;
  readonly onMark: (mark: ItemMark) => void;
}

const HOUR_MS = 3_600_000;
const YEAR_MS = 365 * 24 * HOUR_MS;

/** Everything that can be said of the stock of items, one tap each, and where they are prepared. */
export function StockChoices({ timezone, station, stations, isBusy = false, onMark }: StockChoicesProps) {
  const listId = useId();
  const inAnHour = toWall(Date.now() + HOUR_MS, timezone);
  const tillThen = (data: FormData) => {
    const until = fromWall(formText(data, 'until'), timezone);
    onMark({ in_stock: false, until: new Date(until).toISOString() });
  };
  const onlyLeft = (data: FormData) => {
    const left = Number(formText(data, 'left'));
    onMark(left === 0 ? { in_stock: false } : { in_stock: true, left });
  };
  return (
    <section class="stock-choices" dir={directionOf(language())} lang={language()}>
      <h3>{t('mark_sold_out')}</h3>
      <div class="minutes">
        <Button look="danger primary" disabled={isBusy} onClick={() => onMark({ in_stock: false })}>
          {t('until_i_say_so')}
        </Button>
        <Button
          look="danger"
          disabled={isBusy}
          onClick={() => onMark({ in_stock: false, until: 'end_of_day' })}
        >
          {t('until_tomorrow')}
        </Button>
      </div>
      <Line label={t('until')} submit={t('mark_action')} isBusy={isBusy} onSubmit={tillThen}>
        {(id) => (
          <input
            id={id}
            class="input"
            type="datetime-local"
            name="until"
            required
            defaultValue={inAnHour}
            min={toWall(Date.now(), timezone)}
            max={toWall(Date.now() + YEAR_MS, timezone)}
          />
        )}
      </Line>
      <Line label={t('only_left')} submit={t('count_down')} isBusy={isBusy} onSubmit={onlyLeft}>
        {(id) => (
          <input
            id={id}
            class="input"
            type="number"
            name="left"
            required
            min={0}
            max={100_000}
            step={1}
            placeholder="12"
          />
        )}
      </Line>
      <Line
        label={t('station')}
        submit={t('save')}
        isBusy={isBusy}
        onSubmit={(data) => onMark({ prep_type: formText(data, 'station') })}
      >
        {(id) => (
          <input
            key={station}
            id={id}
            class="input"
            name="station"
            maxLength={60}
            list={listId}
            placeholder={t('grill_bar')}
            defaultValue={station ?? ''}
          />
        )}
      </Line>
      <datalist id={listId}>
        {stations.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
    </section>
  );
}

interface LineProps {
  readonly label: string;
  readonly submit: string;
  readonly isBusy: boolean;
  readonly onSubmit: (data: FormData) => void;
  readonly children: (id: string) => ComponentChildren;
}

function Line({ label, submit, isBusy, onSubmit, children }: LineProps) {
  const id = useId();
  return (
    <form
      class="stock-line"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(new FormData(event.currentTarget));
      }}
    >
      <label for={id}>{label}</label>
      {children(id)}
      <Button type="submit" disabled={isBusy}>
        {submit}
      </Button>
    </form>
  );
}

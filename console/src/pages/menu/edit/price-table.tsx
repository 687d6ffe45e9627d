import { useSignal } from '@preact/signals';
import type { TargetedKeyboardEvent } from 'preact';
import { fold } from '../../../text/fold.js';
import { t } from '../../../text/t.js';
import { Button } from '../../../ui/button.js';
import { FieldError } from '../../../ui/field.js';
import type { Entity } from './draft.js';
import { idsIn, nameOf } from './names.js';
import { PRICE_FIELDS, priceOf, readPrice, toPriceTexts, type PriceTexts } from './price.js';
import type { Draft } from './use-draft.js';

interface PriceTableProps {
  readonly draft: Draft;
  readonly currency: string | undefined;
  readonly language: string;
  readonly search: string;
}

interface PricedRow {
  readonly kind: 'item' | 'modifier_item';
  readonly id: string;
  readonly entity: Entity;
  readonly name: string;
}

const ROWS = 200;
const COLUMNS = ['gross', 'rate'] as const;

/** Every price, in two columns. Arrow keys go from cell to cell, and a block copied from a spreadsheet fills from where it is pasted. */
export function PriceTable({ draft, currency, language, search }: PriceTableProps) {
  const most = useSignal(ROWS);
  /** What is typed and is no price, by the cell's row. */
  const wrong = useSignal<ReadonlyMap<string, { readonly typed: PriceTexts; readonly why: FieldError }>>(
    new Map(),
  );
  /** What is being typed, and the row as it was then: no change of the draft takes it away. */
  const typing = useSignal<
    { readonly cell: string; readonly text: string; readonly row: PricedRow } | undefined
  >(undefined);
  const rows = toRows(draft, language, search);
  const shown = rows.slice(0, most.value);

  const textsOf = ({ kind, id, entity }: PricedRow): PriceTexts =>
    wrong.value.get(`${kind} ${id}`)?.typed ?? toPriceTexts(priceOf(kind, entity), currency);

  const type = (...typings: readonly (readonly [PricedRow, PriceTexts])[]) => {
    const invalid = new Map(wrong.value);
    const wanted = typings.flatMap(([{ kind, id, entity }, typed]) => {
      const price = readPrice(typed, priceOf(kind, entity), currency);
      if (price instanceof FieldError) {
        invalid.set(`${kind} ${id}`, { typed, why: price });
        return [];
      }
      invalid.delete(`${kind} ${id}`);
      const [priceField, taxField] = PRICE_FIELDS[kind];
      return [[kind, entity, { ...entity, [priceField]: price.price, [taxField]: price.tax }] as const];
    });
    wrong.value = invalid;
    draft.put(...wanted);
  };

  const paste = (event: ClipboardEvent, index: number, column: number) => {
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if (!/[\t\n]/.test(text.trim())) return;
    event.preventDefault();
    const lines = text.replace(/\r?\n$/, '').split(/\r?\n/);
    const typings = lines.flatMap((line, i) => {
      const row = rows[index + i];
      if (row === undefined) return [];
      const stated = line
        .split('\t')
        .map((cell, j) => [COLUMNS[column + j], cell.trim()] as const)
        .filter(([name, cell]) => name !== undefined && cell !== '');
      return [[row, { ...textsOf(row), ...(Object.fromEntries(stated) as Partial<PriceTexts>) }] as const];
    });
    type(...typings);
  };

  return (
    <>
      <p class="soft small">{t('arrow_keys_go_from_cell_to')}</p>
      <table class="table prices" onKeyDown={moveByArrow}>
        <thead>
          <tr>
            <th scope="col">{t('what')}</th>
            <th scope="col">
              {currency === undefined ? t('price_with_tax') : t('price_with_tax_currency', { currency })}
            </th>
            <th scope="col">{t('tax_percent')}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((row, index) => {
            const texts = textsOf(row);
            const error = wrong.value.get(`${row.kind} ${row.id}`)?.why;
            return (
              <tr key={`${row.kind} ${row.id}`}>
                <th scope="row">
                  <bdi>{row.name}</bdi>
                  {row.kind === 'modifier_item' && <span class="soft small"> {t('choice')}</span>}
                  {error !== undefined && <div class="error">{error.message}</div>}
                </th>
                {COLUMNS.map((column, j) => {
                  const cell = `${row.kind} ${row.id} ${column}`;
                  const typed = typing.value?.cell === cell ? typing.value : { text: texts[column], row };
                  return (
                    <td key={column}>
                      <input
                        class="input number"
                        inputMode="decimal"
                        aria-label={
                          column === 'gross'
                            ? t('name_price_with_tax', { name: row.name })
                            : t('name_tax_in_per_cent', { name: row.name })
                        }
                        aria-invalid={error?.field === column ? true : undefined}
                        data-row={index}
                        data-column={j}
                        value={typed.text}
                        onInput={(event) =>
                          (typing.value = { cell, text: event.currentTarget.value, row: typed.row })
                        }
                        onChange={(event) => {
                          const { value } = event.currentTarget;
                          if (typing.value?.cell === cell) typing.value = undefined;
                          type([typed.row, { ...textsOf(typed.row), [column]: value }]);
                        }}
                        onPaste={(event) => paste(event, index, j)}
                      />
                    </td>
                  );
                })}
              </tr>
            );
          })}
        </tbody>
      </table>
      {rows.length > shown.length && (
        <Button onClick={() => (most.value += ROWS)}>
          {t('show_count_more', { count: rows.length - shown.length })}
        </Button>
      )}
    </>
  );
}

/** Up and down always; left and right at the end of the text, so that it can still be walked through. */
function moveByArrow(event: TargetedKeyboardEvent<HTMLTableElement>): void {
  const cell = event.target;
  if (!(cell instanceof HTMLInputElement)) return;
  const { selectionStart: start, selectionEnd: end, value } = cell;
  const isAll = start === 0 && end === value.length;
  const steps: Readonly<Record<string, readonly [number, number] | undefined>> = {
    ArrowUp: [-1, 0],
    ArrowDown: [1, 0],
    Enter: [1, 0],
    ArrowLeft: isAll || end === 0 ? [0, -1] : undefined,
    ArrowRight: isAll || start === value.length ? [0, 1] : undefined,
  };
  const step = steps[event.key];
  if (step === undefined) return;
  const row = Number(cell.dataset['row']) + step[0];
  const column = Number(cell.dataset['column']) + step[1];
  const next = event.currentTarget.querySelector<HTMLInputElement>(
    `input[data-row="${row}"][data-column="${column}"]`,
  );
  // At the edge there is nowhere to go, and Enter takes in what is typed by itself.
  if (next === null) return;
  event.preventDefault();
  next.focus();
  next.select();
}

/** Items as the categories have them, then the rest, then the choices. */
function toRows({ menu }: Draft, language: string, search: string): PricedRow[] {
  const listed = [...menu.category.values()].flatMap((one) => idsIn(one, 'item_external_ids'));
  const ids = [...new Set([...listed, ...menu.item.keys()])];
  const wanted = fold(search);
  const row = (kind: PricedRow['kind'], id: string): PricedRow[] => {
    const entity = menu[kind].get(id);
    if (entity === undefined) return [];
    const name = nameOf(entity, id, language);
    return fold(`${name} ${id}`).includes(wanted) ? [{ kind, id, entity, name }] : [];
  };
  return [
    ...ids.flatMap((id) => row('item', id)),
    ...[...menu.modifier_item.keys()].flatMap((id) => row('modifier_item', id)),
  ];
}

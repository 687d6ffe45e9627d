import { didYouMean, FULL_EFFORT } from '../../support/did-you-mean.js';
import type { ErrorDetail } from '../../support/error-details.js';
import { entitiesOf, KINDS, LIST_OF, NOUN_OF, type Entity, type Kind } from '../../menus/kinds.js';
import { REQUIRED_FIELDS_OF, type MenuConfiguration } from '../../menus/shapes.js';
import { applyEdits } from './apply-edits.js';
import { fieldIn, PRICE_FIELDS, type Column } from './columns.js';
import { readRow, withArticle, type RowEdit } from './read-row.js';
import { errorAt, SheetErrors, type SheetError } from './errors.js';
import { readTable } from './read-table.js';

export interface SheetBasis {
  readonly currency: string | undefined;
  /** The menu that the sheet changes. */
  readonly current: MenuConfiguration;
  /** The sheet is the whole menu: what it leaves out goes. */
  readonly isWhole: boolean;
}

export interface Sheet {
  readonly configuration: MenuConfiguration;
  /** Remarks for whoever wrote the sheet. */
  readonly notes: readonly string[];
  /** Puts an error or warning about the configuration at its cell, if the sheet has one. */
  relocate(error: Pick<ErrorDetail, 'loc' | 'msg'>): SheetError;
}

/** Reads a CSV file: the menu that it makes out of the current one. Throws SheetErrors. */
export function readSheet(bytes: Uint8Array, basis: SheetBasis): Sheet {
  const { current, currency, isWhole } = basis;
  const table = readTable(bytes, createLanguageCheck(current));
  const errors: SheetError[] = [];
  const edits = table.rows.flatMap((source) => {
    const fail = (column: number, message: string) =>
      errors.push(errorAt({ row: source.row, column }, message));
    return readRow(source, table.columns, { currency, decimalSign: '.' }, fail) ?? [];
  });
  const idAt = table.columns.findIndex(({ is }) => is === 'external_id');
  const known = isWhole ? { items: [] } : current;
  for (const { row, message } of [...findRepeated(edits), ...findUnknown(edits, known, table.columns)])
    errors.push(errorAt({ row, column: idAt }, message));
  if (errors.length > 0) throw new SheetErrors(errors);

  const configuration = applyEdits(current, edits, isWhole);
  const before = new Map(
    KINDS.flatMap((kind) =>
      entitiesOf(known, kind).map((entity) => [keyOf(kind, entity.external_id), entity]),
    ),
  );
  const stale = edits.filter((edit) =>
    hasStaleTax(edit, before.get(keyOf(edit.kind, edit.externalId))),
  ).length;
  const note = `${stale} ${stale === 1 ? 'row has' : 'rows have'} a new price and the old tax: the sheet has no column tax.`;
  return {
    configuration,
    notes: stale === 0 ? table.notes : [...table.notes, note],
    relocate: (error) => relocateError(error, configuration, edits, table.columns),
  };
}

function createLanguageCheck(current: MenuConfiguration): (tag: string) => boolean {
  const texts = KINDS.flatMap((kind) => entitiesOf(current, kind)).flatMap(
    ({ name, description }) => [name, description] as ({ translations: object } | undefined)[],
  );
  const tags = new Set(texts.flatMap((text) => Object.keys(text?.translations ?? {})));
  return (tag) => tags.has(tag);
}

const keyOf = (kind: Kind, externalId: string) => `${kind} ${externalId}`;

interface RowError {
  readonly row: number;
  readonly message: string;
}

function findRepeated(edits: readonly RowEdit[]): RowError[] {
  const rows = new Map<string, number>();
  return edits.flatMap(({ row, kind, externalId }) => {
    const key = keyOf(kind, externalId);
    const first = rows.get(key);
    if (first === undefined) rows.set(key, row);
    const message = `row ${(first ?? row) + 1} is about the same ${NOUN_OF[kind]}`;
    return first === undefined ? [] : [{ row, message }];
  });
}

/** Rows about something that is not there, and that say too little to add it. */
function findUnknown(
  edits: readonly RowEdit[],
  known: MenuConfiguration,
  columns: readonly Column[],
): RowError[] {
  const effort = { left: FULL_EFFORT };
  return KINDS.flatMap((kind) => {
    const ids = new Set(entitiesOf(known, kind).map(({ external_id: id }) => id));
    const has = (field: string) =>
      columns.some(
        (column) => fieldIn(column, kind) === field || (isGross(column) && isPriceField(kind, field)),
      );
    const lacking = REQUIRED_FIELDS_OF[kind].filter((field) => field !== 'external_id' && !has(field));
    return edits.flatMap(({ row, kind: itsKind, externalId, isRemoved, texts }) => {
      if (itsKind !== kind || ids.has(externalId)) return [];
      const isNameless = [...(texts.get('name')?.values() ?? [])].every((name) => name === undefined);
      const needsName = isNameless && REQUIRED_FIELDS_OF[kind].includes('name') && has('name');
      const needed = [...(needsName ? ['name'] : []), ...lacking];
      if (!isRemoved && needed.length === 0) return [];
      const hint = didYouMean(externalId, ids, effort) || '.';
      const addition = isRemoved ? '' : ` To add ${withArticle(kind)}, fill in ${needed.join(', ')}.`;
      return [{ row, message: `no ${NOUN_OF[kind]} has the external_id "${externalId}"${hint}${addition}` }];
    });
  });
}

const isGross = ({ is }: Column) => is === 'price_with_tax';
const isPriceField = (kind: Kind, field: string) =>
  field === PRICE_FIELDS[kind]?.price || field === PRICE_FIELDS[kind]?.tax;

/** Tax is an amount: who changes a price alone has changed its rate too. */
function hasStaleTax({ kind, values }: RowEdit, before: Entity | undefined): boolean {
  const fields = PRICE_FIELDS[kind];
  if (fields === undefined || before === undefined) return false;
  if (values.has(fields.tax) || !values.has(fields.price)) return false;
  return before[fields.tax] !== 0 && before[fields.price] !== values.get(fields.price);
}

function relocateError(
  { loc, msg }: Pick<ErrorDetail, 'loc' | 'msg'>,
  configuration: MenuConfiguration,
  edits: readonly RowEdit[],
  columns: readonly Column[],
): SheetError {
  const message = msg.replace(/^Value error, /, '');
  const [, list, index, field, ...path] = loc;
  const kind = KINDS.find((one) => LIST_OF[one] === list);
  if (kind === undefined || typeof index !== 'number') return { message };
  const externalId = configuration[LIST_OF[kind]]?.[index]?.external_id;
  const edit = edits.find((one) => one.kind === kind && one.externalId === externalId);
  if (edit === undefined) return { message: `${NOUN_OF[kind]} "${externalId ?? index}": ${message}` };
  const holds = (column: Column) =>
    fieldIn(column, kind) === field || (isGross(column) && isPriceField(kind, String(field)));
  const inLanguage = columns.findIndex(
    (column) => holds(column) && column.is === 'text' && column.language === path[1],
  );
  const column = inLanguage === -1 ? columns.findIndex(holds) : inLanguage;
  const idAt = columns.findIndex(({ is }) => is === 'external_id');
  return errorAt({ row: edit.row, column: column === -1 ? idAt : column }, message);
}

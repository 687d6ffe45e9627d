import type { RequestedStore } from '../access/api-key-lookup.sql.js';
import { toWall } from '../calendar/wall-clock.js';
import { showAllergens } from '../menus/allergens.js';
import type { PriceList } from '../menus/price-list.js';
import { readLines, shownName, type Line, type LineModifier } from '../orders/lines.js';
import { isGivenUp } from '../orders/status.js';
import { layTicket, type TicketRow } from '../orders/ticket.js';
import { ticketWords } from '../orders/ticket-words.js';
import { firstLanguage, nameIn } from '../support/languages.js';
import { toMoney } from '../support/minor-units.js';
import type { MultilingualText } from '../support/shape/common-shapes.js';
import { splitLines, type Judged } from './judge.js';
import type { PrinterSettings } from './shapes.js';

export interface TicketContext {
  readonly store: RequestedStore;
  readonly settings: PrinterSettings;
  readonly list: PriceList;
  readonly prepTypes: ReadonlyMap<string, string>;
}

/** The rows of a ticket in the printer's language. */
export function makeTicket(context: TicketContext, judged: Judged, isRepeat: boolean): TicketRow[] {
  const { store, settings, list, prepTypes } = context;
  const { kind, order, added, removed } = judged;
  const language = languageOf(context);
  const words = ticketWords(language);
  const { lines, elsewhere } = splitLines(readLines(order.items), settings.prep_types, prepTypes);
  const isReceipt = settings.prints === 'receipt';
  const nameOf = (entry: Line | LineModifier) => {
    const known = entry.externalId === undefined ? undefined : findName(list, entry);
    return known === undefined ? shownName(entry, language) : nameIn(language, known, '');
  };
  return layTicket(order, {
    words,
    title: nameIn(language, store.name, ''),
    marks: [
      words(kind),
      ...(kind === 'copy' && isGivenUp(order.status) ? [words('cancelled')] : []),
      ...(isRepeat ? [words('repeat')] : []),
    ],
    lines,
    added,
    removed,
    elsewhere,
    hasAmounts: isReceipt,
    times: ' x ',
    time: (instant) => toTime(instant, store.timezone ?? 'UTC'),
    money: (amount) => toMoney(amount, store.currency),
    nameOf,
    allergensOf: ({ externalId = '' }) => {
      const allergens = list.items.get(externalId)?.allergens;
      return isReceipt || allergens === undefined ? undefined : showAllergens(allergens, language ?? 'en');
    },
  });
}

/** The slip for orders whose tickets waited too long to be cooked from. */
export function makeLateSlip(
  context: TicketContext,
  late: readonly Judged[],
  isRepeat: boolean,
): TicketRow[] {
  const words = ticketWords(languageOf(context));
  const numbers = late.map(({ order, kind }) => {
    const number = order.number === undefined ? order.id : words('number', { n: order.number });
    return kind === 'new' ? number : `${number} ${words(kind)}`;
  });
  return [
    ...(isRepeat ? [{ style: 'large', text: words('repeat') } as const] : []),
    { style: 'strong', text: nameIn(languageOf(context), context.store.name, '') },
    { style: 'strong', text: words('late') },
    ...numbers.map((text) => ({ style: 'large', text }) as const),
  ];
}

export function makeTestPrint(context: TicketContext): TicketRow[] {
  const { store, settings } = context;
  const words = ticketWords(languageOf(context));
  return [
    { style: 'large', text: words('test') },
    { style: 'strong', text: nameIn(languageOf(context), store.name, '') },
    { style: 'plain', text: settings.label },
    { style: 'plain', text: words('works') },
    { style: 'rule', text: '' },
    { style: 'plain', text: toTime(new Date().toISOString(), store.timezone ?? 'UTC') },
  ];
}

function languageOf({ store, settings }: TicketContext): string | undefined {
  return settings.language ?? firstLanguage(JSON.parse(store.name) as MultilingualText);
}

function findName(list: PriceList, { externalId = '' }: Line | LineModifier): string | undefined {
  return (list.items.get(externalId) ?? list.modifiers.get(externalId))?.name;
}

/** Today's times without the date. */
function toTime(instant: string, timezone: string): string {
  const [day, time] = toWall(Date.parse(instant), timezone).split('T');
  const today = toWall(Date.now(), timezone).split('T')[0];
  return day === today ? (time ?? '') : `${day} ${time}`;
}

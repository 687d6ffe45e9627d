import { newEvent, type Act, type NewEvent } from '../events/event.js';
import type { Kind } from './kinds.js';
import type { KeptMark } from './stock/marks.js';

export const MENU_EVENT_TYPES = ['menu.published', 'menu.stock_changed', 'menu.publication_refused'] as const;

export function stockChanged(
  { kind, externalId }: { readonly kind: Kind; readonly externalId: string },
  { inStock, left, until }: { readonly inStock: boolean } & Pick<KeptMark, 'left' | 'until'>,
  act: Act,
): NewEvent {
  return newEvent('menu.stock_changed', act, {
    kind,
    external_id: externalId,
    in_stock: inStock,
    left,
    until,
  });
}

import { newEvent, type Act, type NewEvent } from '../events/event.js';
import type { Kind } from './kinds.js';
import type { KeptMark } from './stock/marks.js';

export const MENU_EVENT_TYPES = ['menu.published', 'menu.stock_changed', 'menu.publication_refused'] as const;

interface PublishedMenu {
  readonly version: number;
  readonly restoredFrom?: number | undefined;
  readonly publicationId?: string | undefined;
}

export function menuPublished({ version, restoredFrom, publicationId }: PublishedMenu, act: Act): NewEvent {
  return newEvent('menu.published', act, {
    version,
    restored_from: restoredFrom,
    publication_id: publicationId,
  });
}

interface RefusedPublication {
  readonly publicationId: string;
  readonly result: string;
  readonly detail?: string | undefined;
}

export function publicationRefused({ publicationId, ...rest }: RefusedPublication, act: Act): NewEvent {
  return newEvent('menu.publication_refused', act, { publication_id: publicationId, ...rest });
}

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

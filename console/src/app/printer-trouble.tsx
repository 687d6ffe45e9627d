import type { ManagedStore } from '#sdk';
import { client } from '../data/session.js';
import { useChanges, type LiveStore } from '../data/live/live-store.js';
import { TROUBLE_WORDS } from '../text/code-words.js';
import { Notice } from '../ui/notice.js';
import { useLoad } from '../ui/loading.js';
import { toHref } from './router.js';

/** A line for each printer that prints nothing. */
export function PrinterTrouble({ store, live }: { readonly store: ManagedStore; readonly live: LiveStore }) {
  const loaded = useLoad((signal) => client.listPrinters(store.id, {}, { signal }), [store.id]);
  useChanges(live, loaded.reload, (_, type) => type.startsWith('printer.'));
  return (
    <>
      {(loaded.value.value ?? []).map(
        ({ id, label, trouble }) =>
          trouble !== undefined && (
            <Notice key={id} icon="print" isBad role="alert">
              <a href={toHref(`/stores/${store.id}/printers`)}>
                <bdi>{label}</bdi>: {TROUBLE_WORDS[trouble]}
              </a>
            </Notice>
          ),
      )}
    </>
  );
}

import { useEffect } from 'preact/hooks';
import type { ManagedStore } from '#sdk';
import { client } from '../data/client.js';
import { TROUBLE_WORDS } from '../data/printer-words.js';
import { Icon } from '../ui/icon.js';
import { useLoad } from '../ui/use-load.js';
import { toHref } from './router.js';

const READ_EVERY_MS = 15_000;

/** A line for each printer that prints nothing. */
export function PrinterTrouble({ store }: { readonly store: ManagedStore }) {
  const loaded = useLoad((signal) => client.listPrinters(store.id, {}, { signal }), [store.id]);
  useEffect(() => {
    const timer = setInterval(loaded.reload, READ_EVERY_MS);
    return () => clearInterval(timer);
  }, [store.id]);
  return (
    <>
      {(loaded.value.value ?? []).map(
        ({ id, label, trouble }) =>
          trouble !== undefined && (
            <p key={id} class="notice danger" role="alert">
              <Icon name="print" />
              <a href={toHref(`/stores/${store.id}/printers`)}>
                <bdi>{label}</bdi>: {TROUBLE_WORDS[trouble]}
              </a>
            </p>
          ),
      )}
    </>
  );
}

import { render } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { ManagedOrder, ManagedStore } from '#sdk';
import { Ticket } from './ticket.js';
import './ticket.css';

const MM_PER_PIXEL = 25.4 / 96;
const MARGIN_MM = 3;

/** Prints the ticket of an order, and nothing else of the page. */
export function printTicket(order: ManagedOrder, store: ManagedStore): void {
  addEventListener('afterprint', mount(order, store), { once: true });
  print();
}

/** Whatever way a page is printed, by its button or the browser's menu: the ticket is what comes out. */
export function usePrintedTicket(order: ManagedOrder | undefined, store: ManagedStore): void {
  const latest = useRef({ order, store });
  latest.current = { order, store };
  useEffect(() => {
    let unmount: (() => void) | undefined;
    // What is being printed stays as it is, also if the order is read again meanwhile.
    const before = () => {
      const { current: shown } = latest;
      if (shown.order !== undefined) unmount ??= mount(shown.order, shown.store);
    };
    const after = () => {
      unmount?.();
      unmount = undefined;
    };
    addEventListener('beforeprint', before);
    addEventListener('afterprint', after);
    return () => {
      removeEventListener('beforeprint', before);
      removeEventListener('afterprint', after);
      after();
    };
  }, []);
}

/** Puts the ticket beside the page, on a sheet as long as it is; returns what takes it away. */
function mount(order: ManagedOrder, store: ManagedStore): () => void {
  const root = document.createElement('div');
  root.className = 'print-ticket';
  document.body.append(root);
  render(<Ticket order={order} store={store} />, root);
  const length = Math.ceil(root.getBoundingClientRect().height * MM_PER_PIXEL) + 2 * MARGIN_MM + 2;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`@page { size: 80mm ${length}mm; margin: ${MARGIN_MM}mm }`);
  document.adoptedStyleSheets.push(sheet);
  return () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet);
    render(null, root);
    root.remove();
  };
}

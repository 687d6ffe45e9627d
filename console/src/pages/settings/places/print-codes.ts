import type { Place } from '#sdk';
import { codeSheet, type SheetWords } from '../../../../../src/guest/code-sheet.js';
import './places.css';

/** Prints the QR codes of places on A4 sheets, and nothing else of the page. */
export function printCodes(places: readonly Place[], words: SheetWords): void {
  const svg = new DOMParser().parseFromString(codeSheet(places, words), 'image/svg+xml').documentElement;
  const root = document.createElement('div');
  root.className = 'print-codes';
  root.append(document.adoptNode(svg));
  document.body.append(root);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('@page { size: A4; margin: 0 }');
  document.adoptedStyleSheets.push(sheet);
  const end = () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet);
    root.remove();
  };
  addEventListener('afterprint', end, { once: true });
  print();
}

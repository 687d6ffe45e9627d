import type { ComponentChildren } from 'preact';
import { language, t } from '../../text/t.js';
import { WhenLoaded, useLoad } from '../../ui/loading.js';
import { useTitle } from '../../ui/use-title.js';
import './help.css';
import { emphasised, readManual, type Piece } from './manual.js';

const MANUALS: Readonly<Record<string, () => Promise<{ readonly default: string }>>> = {
  en: () => import('../../../../docs/staff.md?raw'),
  es: () => import('../../../../docs/staff.es.md?raw'),
  fr: () => import('../../../../docs/staff.fr.md?raw'),
  de: () => import('../../../../docs/staff.de.md?raw'),
  pt: () => import('../../../../docs/staff.pt.md?raw'),
  ar: () => import('../../../../docs/staff.ar.md?raw'),
};

/** The manual for the staff, as in docs/staff.md. */
export function HelpPage() {
  useTitle(t('help'), 'Comanda');
  const manual = useLoad(async () => (await MANUALS[language()]?.())?.default ?? '', []);
  return (
    <WhenLoaded of={manual} busy={t('loading')}>
      {(markdown) => <article class="manual">{readManual(markdown).map(show)}</article>}
    </WhenLoaded>
  );
}

function show(piece: Piece) {
  switch (piece.is) {
    case 'title':
      return <h1>{piece.text}</h1>;
    case 'section':
      return <h2>{piece.text}</h2>;
    case 'paragraph':
      return <p>{withEmphasis(piece.text)}</p>;
    case 'list':
      return <ul>{piece.items.map(showItem)}</ul>;
    case 'steps':
      return <ol>{piece.items.map(showItem)}</ol>;
  }
}

function showItem(text: string) {
  return <li>{withEmphasis(text)}</li>;
}

function withEmphasis(text: string): ComponentChildren {
  return emphasised(text).map((part, i) => (i % 2 === 1 ? <strong>{part}</strong> : part));
}

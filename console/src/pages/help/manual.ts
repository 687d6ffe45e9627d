/** A piece of the manual. Its texts may have parts between pairs of asterisks, which are strong. */
export type Piece =
  | { readonly is: 'title' | 'section' | 'paragraph'; readonly text: string }
  | { readonly is: 'list' | 'steps'; readonly items: readonly string[] };

/** Reads the few forms of Markdown that docs/staff.md uses. */
export function readManual(markdown: string): Piece[] {
  return markdown
    .trim()
    .split(/\n{2,}/)
    .map(readPiece);
}

function readPiece(block: string): Piece {
  if (block.startsWith('# ')) return { is: 'title', text: block.slice(2) };
  if (block.startsWith('## ')) return { is: 'section', text: block.slice(3) };
  if (block.startsWith('- ')) return { is: 'list', items: itemsOf(block, /^- /m) };
  if (block.startsWith('1. ')) return { is: 'steps', items: itemsOf(block, /^\d+\. /m) };
  return { is: 'paragraph', text: joined(block) };
}

function itemsOf(block: string, marker: RegExp): string[] {
  return block.split(marker).slice(1).map(joined);
}

function joined(text: string): string {
  return text.trim().replace(/\s*\n\s*/g, ' ');
}

/** The parts of a text in turn: plain, strong, plain, ... */
export function emphasised(text: string): string[] {
  return text.split('**');
}

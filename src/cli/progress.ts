import type { Terminal } from './terminal.js';

export interface Progress {
  /** `done` of `total`, where the total is known. */
  show(done: number, text: string): void;
  end(): void;
}

const BAR = 20;
const EVERY_MS = 100;

/** A bar beside the output, for people alone. */
export function startProgress(terminal: Terminal, total: number | undefined): Progress {
  if (!terminal.canAsk) return { show: () => undefined, end: () => undefined };
  let shownAt = 0;
  return {
    show: (done, text) => {
      if (Date.now() - shownAt < EVERY_MS) return;
      shownAt = Date.now();
      const share = total === undefined || total === 0 ? undefined : Math.min(1, done / total);
      terminal.stderr.write(`\r\u001b[K${barOf(share)}${text}`.slice(0, terminal.columns + 3));
    },
    end: () => terminal.stderr.write('\r\u001b[K'),
  };
}

function barOf(share: number | undefined): string {
  if (share === undefined) return '';
  const full = Math.round(share * BAR);
  return `[${'#'.repeat(full)}${'-'.repeat(BAR - full)}] ${Math.floor(share * 100)} %  `;
}

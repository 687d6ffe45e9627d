export interface Progress {
  part(title: string): void;
  step(text: string): void;
  line(text: string): void;
  done(): void;
}

const REDRAW_MS = 500;

/** In a terminal one line that shows what is being measured and for how long; elsewhere a line per result. */
export function showProgress(total: number, out: NodeJS.WriteStream = process.stderr): Progress {
  const begun = performance.now();
  let place = 0;
  let current = '';
  let step = '';
  const seconds = () => `${Math.round((performance.now() - begun) / 1000)} s`.padStart(5);
  const draw = () => {
    if (!out.isTTY) return;
    const text = `${seconds()}  [${place}/${total}] ${current}: ${step}`;
    out.write(`\r\x1b[2K${text.slice(0, (out.columns || 80) - 1)}`);
  };
  const timer = setInterval(draw, REDRAW_MS).unref();
  const line = (text: string) => {
    out.write(`${out.isTTY ? '\r\x1b[2K' : ''}${seconds()}  ${text}\n`);
    draw();
  };
  return {
    part: (title) => {
      place += 1;
      current = title;
      step = 'preparing';
      line(`[${place}/${total}] ${title}`);
    },
    step: (text) => {
      step = text;
      draw();
    },
    line,
    done: () => {
      clearInterval(timer);
      if (out.isTTY) out.write('\r\x1b[2K');
    },
  };
}

import { toCount } from '../../parts/format.js';
import { Icon } from '../../parts/icon.js';

export interface PlacedFault {
  readonly line: number | undefined;
  readonly message: string;
}

interface FaultyFileProps {
  readonly name: string;
  readonly lines: readonly string[];
  readonly faults: readonly PlacedFault[];
}

const AROUND = 2;
const LONGEST_LINE = 240;

/** The places of the file that have faults, each with the lines around it. */
export function FaultyFile({ name, lines, faults }: FaultyFileProps) {
  const inOrder = [...faults].sort((one, other) => (one.line ?? 0) - (other.line ?? 0));
  return (
    <section class="stack" aria-label="Faults">
      <div class="trouble" role="alert">
        <Icon name="warning" />
        <div>
          <p>
            <bdi>{name}</bdi> has {toCount(faults.length, 'fault')}. Nothing has been published.
          </p>
        </div>
      </div>
      <ol class="stack">
        {inOrder.map((fault, at) => (
          <li class="panel fault-place" key={at}>
            <p>
              {fault.line !== undefined && <strong class="number">Line {fault.line} </strong>}
              <bdi>{fault.message}</bdi>
            </p>
            {fault.line !== undefined && <Excerpt lines={lines} line={fault.line} />}
          </li>
        ))}
      </ol>
    </section>
  );
}

function Excerpt({ lines, line }: { readonly lines: readonly string[]; readonly line: number }) {
  const first = Math.max(1, line - AROUND);
  const shown = lines.slice(first - 1, line + AROUND);
  return (
    <pre class="excerpt" dir="ltr">
      {shown.map((text, at) => (
        <code key={first + at} data-fault={first + at === line}>
          <span class="line-number">{first + at}</span>
          <bdi>{text.slice(0, LONGEST_LINE)}</bdi>
          {'\n'}
        </code>
      ))}
    </pre>
  );
}

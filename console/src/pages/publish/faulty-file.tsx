import { toCount } from '../../parts/format.js';
import { Icon } from '../../parts/icon.js';
import type { PlacedFault } from './judge-file.js';

interface FaultyFileProps {
  readonly name: string;
  readonly faults: readonly PlacedFault[];
  /** Of the request in which the service refused it; absent where the file was not sent at all. */
  readonly requestId?: string | undefined;
}

/** The places of the file that have faults, each with the lines around it. */
export function FaultyFile({ name, faults, requestId }: FaultyFileProps) {
  return (
    <section class="stack" aria-label="Faults">
      <div class="trouble" role="alert">
        <Icon name="warning" />
        <div>
          <p>
            <bdi>{name}</bdi> has {toCount(faults.length, 'fault')}. Nothing has been published.
          </p>
          {requestId !== undefined && <p class="small">Request {requestId}</p>}
        </div>
      </div>
      <FaultPlaces faults={faults} />
    </section>
  );
}

export function FaultPlaces({ faults }: { readonly faults: readonly PlacedFault[] }) {
  return (
    <ol class="stack fault-places">
      {faults.map((fault, at) => (
        <li class="panel fault-place" key={at}>
          <p>
            {fault.line !== undefined && <strong class="number">Line {fault.line} </strong>}
            <bdi>{fault.message}</bdi>
          </p>
          <Excerpt {...fault} />
        </li>
      ))}
    </ol>
  );
}

function Excerpt({ line, excerpt }: PlacedFault) {
  if (excerpt === undefined) return null;
  return (
    <pre class="excerpt" dir="ltr">
      {excerpt.lines.map((text, at) => (
        <code key={at} data-fault={excerpt.firstLine + at === line}>
          <span class="line-number">{excerpt.firstLine + at}</span>
          <bdi>{text}</bdi>
          {'\n'}
        </code>
      ))}
    </pre>
  );
}

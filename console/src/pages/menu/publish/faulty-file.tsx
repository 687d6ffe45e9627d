import { t } from '../../../text/t.js';
import { tx } from '../../../text/tx.js';
import { Icon } from '../../../ui/icon.js';
import { Details } from '../../../ui/error-notice.js';
import type { LocatedFault } from './check-file.js';

interface FaultyFileProps {
  readonly name: string;
  readonly faults: readonly LocatedFault[];
  /** Of the request in which the service refused it; absent where the file was not sent at all. */
  readonly requestId?: string | undefined;
}

/** The places of the file that have faults, each with the lines around it. */
export function FaultyFile({ name, faults, requestId }: FaultyFileProps) {
  return (
    <section class="stack" aria-label={t('faults')}>
      <div class="trouble" role="alert">
        <Icon name="warning" />
        <div>
          <p>
            {tx('name_has_count_faults', {
              name: <bdi>{name}</bdi>,
              count: faults.length,
            })}{' '}
            {t('nothing_has_been_published')}
          </p>
          <Details lines={requestId === undefined ? [] : [t('request_id', { id: requestId })]} />
        </div>
      </div>
      <FaultPlaces faults={faults} />
    </section>
  );
}

export function FaultPlaces({ faults }: { readonly faults: readonly LocatedFault[] }) {
  return (
    <ol class="stack fault-places">
      {faults.map((fault, at) => (
        <li class="panel fault-place" key={at}>
          <p>
            {fault.line !== undefined && (
              <strong class="number">{t('line_number', { number: String(fault.line) })} </strong>
            )}
            {fault.cell !== undefined && <strong class="number">{fault.cell} </strong>}
            <bdi>{fault.message}</bdi>
          </p>
          <Excerpt {...fault} />
        </li>
      ))}
    </ol>
  );
}

function Excerpt({ line, excerpt }: LocatedFault) {
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

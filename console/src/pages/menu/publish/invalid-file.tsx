import { t, tx } from '../../../text/t.js';
import { Details, Refusal } from '../../../ui/loading.js';
import type { LocatedError } from './check-file.js';

interface InvalidFileProps {
  readonly name: string;
  readonly errors: readonly LocatedError[];
  /** Of the request in which the service refused it; absent where the file was not sent at all. */
  readonly requestId?: string | undefined;
}

/** The places of the file that have errors, each with the lines around it. */
export function InvalidFile({ name, errors, requestId }: InvalidFileProps) {
  return (
    <section class="stack" aria-label={t('errors')}>
      <Refusal
        sentences={[
          <>
            {tx('name_has_count_errors', { name: <bdi>{name}</bdi>, count: errors.length })}{' '}
            {t('nothing_has_been_published')}
          </>,
        ]}
      >
        <Details lines={requestId === undefined ? [] : [t('request_id', { id: requestId })]} />
      </Refusal>
      <ErrorPositions errors={errors} />
    </section>
  );
}

export function ErrorPositions({ errors }: { readonly errors: readonly LocatedError[] }) {
  return (
    <ol class="stack error-places">
      {errors.map((error, i) => (
        <li class="panel error-place" key={i}>
          <p>
            {error.line !== undefined && (
              <strong class="number">{t('line_number', { number: String(error.line) })} </strong>
            )}
            {error.cell !== undefined && <strong class="number">{error.cell} </strong>}
            <bdi>{error.message}</bdi>
          </p>
          <Excerpt {...error} />
        </li>
      ))}
    </ol>
  );
}

function Excerpt({ line, excerpt }: LocatedError) {
  if (excerpt === undefined) return null;
  return (
    <pre class="excerpt" dir="ltr">
      {excerpt.lines.map((text, i) => (
        <code key={i} data-error={excerpt.firstLine + i === line}>
          <span class="line-number">{excerpt.firstLine + i}</span>
          <bdi>{text}</bdi>
          {'\n'}
        </code>
      ))}
    </pre>
  );
}

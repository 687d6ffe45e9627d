const NEWLINE = 0x0a;

/** One line of a stream, numbered from 1; `bytes` is missing when the line is longer than the limit. */
export interface NumberedLine {
  readonly number: number;
  readonly bytes: Uint8Array | undefined;
}

/** Splits a stream into lines, one group per chunk; never holds more than a chunk and one line. */
export async function* readLines(
  source: AsyncIterable<Uint8Array>,
  mostBytes: number,
): AsyncGenerator<NumberedLine[]> {
  let number = 0;
  let begun: Uint8Array[] = [];
  let begunBytes = 0;

  const endLine = (rest: Uint8Array): NumberedLine => {
    number += 1;
    const size = begunBytes + rest.length;
    const bytes = size > mostBytes ? undefined : begun.length === 0 ? rest : Buffer.concat([...begun, rest]);
    begun = [];
    begunBytes = 0;
    return { number, bytes };
  };

  for await (const chunk of source) {
    const lines: NumberedLine[] = [];
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      // A few compressed kilobytes may hold millions of empty lines, so they must cost next to nothing.
      if (end === start && begunBytes === 0) number += 1;
      else lines.push(endLine(chunk.subarray(start, end)));
      start = end + 1;
    }
    begunBytes += chunk.length - start;
    if (begunBytes > mostBytes) begun = [];
    else if (start < chunk.length) begun.push(chunk.subarray(start));
    if (lines.length > 0) yield lines;
  }
  if (begunBytes > 0) yield [endLine(new Uint8Array())];
}

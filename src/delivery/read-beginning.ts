import type { IncomingMessage } from 'node:http';

const KEPT_BYTES = 4_096;
/** So much is read on, to keep the connection for the next request; whoever sends more is cut off. */
const READ_BYTES = 64 * 1024;
/** The status is the answer; nothing waits long for what comes after it. */
const READ_MS = 1_000;

/** The first 4 KiB of an answer as text, whatever the sender does after its head: send no end, send for ever, break off. */
export function readBeginning(response: IncomingMessage): Promise<string> {
  const kept: Buffer[] = [];
  let bytes = 0;
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(late);
      if (!response.complete) response.destroy();
      resolve(toText(Buffer.concat(kept)));
    };
    const late = setTimeout(finish, READ_MS);
    response.on('data', (chunk: Buffer) => {
      if (bytes < KEPT_BYTES) kept.push(chunk.subarray(0, KEPT_BYTES - bytes));
      bytes += chunk.length;
      if (bytes > READ_BYTES) finish();
    });
    response.on('error', () => undefined);
    response.once('close', finish);
    response.once('end', finish);
  });
}

/** Neither half a character at the cut nor one that the database cannot hold. */
function toText(bytes: Buffer): string {
  return new TextDecoder().decode(bytes, { stream: true }).replaceAll('\0', '\u{FFFD}');
}

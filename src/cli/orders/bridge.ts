import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { CommandFailed, EXIT } from '../lib/errors.js';

/** Fetches tickets from the service and passes them on to a printer of the local network that speaks ESC/POS. */
export interface BridgeOptions {
  /** The address of the printer's tickets at the service. */
  readonly url: string;
  readonly host: string;
  readonly port: number;
  readonly say: (text: string) => void;
  /** Ends after so many tickets. */
  readonly count?: number | undefined;
}

const POLL_EVERY_MS = 2_000;
const REPLY_MS = 2_000;
const CONNECT_MS = 5_000;
const REQUEST_MS = 30_000;
const TYPE = 'application/vnd.comanda.escpos';

/** Star's codes, in which the service is told how the printer is. */
type Code = '200 OK' | '211 Paper low' | '410 Paper out' | '420 Cover open' | '400 Error' | 'unknown';

export async function runBridge({
  host,
  port,
  say,
  count = Infinity,
  ...given
}: BridgeOptions): Promise<void> {
  let { url } = given;
  // The same after a restart, so that a ticket that was under way is not kept for another device.
  const device = `bridge to ${host}:${port}`;
  let printed = 0;
  let said = '';
  const sayOnce = (text: string) => {
    if (text !== said) say(text);
    said = text;
  };
  while (printed < count) {
    try {
      const printer = await connect(host, port);
      sayOnce(`Connected to ${host}:${port}.`);
      try {
        while (printed < count && !printer.socket.destroyed) {
          const isDone = await printNext({ url, device, printer, sayOnce });
          if (isDone) {
            printed += 1;
            said = '';
          } else await delay(POLL_EVERY_MS);
        }
      } finally {
        printer.socket.destroy();
      }
    } catch (error) {
      if (error instanceof CommandFailed) throw error;
      if (error instanceof Moved) ({ url } = error);
      sayOnce(`${(error as Error).message}. Trying again.`);
      await delay(POLL_EVERY_MS);
    }
  }
}

/** The merchant is in another installation now, where the printer has the same code. */
class Moved extends Error {
  constructor(readonly url: string) {
    super(`The tickets are at ${url} now`);
  }
}

interface Turn {
  readonly url: string;
  readonly device: string;
  readonly printer: NetworkPrinter;
  readonly sayOnce: (text: string) => void;
}

/** True once a ticket is printed and confirmed. */
async function printNext({ url, device, printer, sayOnce }: Turn): Promise<boolean> {
  const before = await printer.readCode();
  const polled = await send(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ printerMAC: device, statusCode: before, printingInProgress: false }),
  });
  const { jobReady: isReady, jobToken: token = '' } = (await polled.json()) as {
    jobReady: boolean;
    jobToken?: string;
  };
  if (before.startsWith('4')) {
    sayOnce(`The printer prints nothing: ${before.slice(4).toLowerCase()}.`);
    return false;
  }
  if (!isReady) return false;
  const named = (more: Record<string, string>) =>
    `${url}?${new URLSearchParams({ mac: device, token, ...more }).toString()}`;
  const ticket = await send(named({ type: TYPE }), {});
  if (!ticket.ok) return false;
  await printer.write(new Uint8Array(await ticket.arrayBuffer()));
  const after = await printer.readCode();
  // A printer that answered before and is silent now may have lost the ticket: it comes again, marked.
  const isPrinted = after.startsWith('2') || (after === 'unknown' && before === 'unknown');
  await send(named({ code: isPrinted ? '200 OK' : after === 'unknown' ? '400 Error' : after }), {
    method: 'DELETE',
  });
  sayOnce(
    isPrinted ? `Printed ${token}.` : `The printer did not print ${token}: ${after.slice(4).toLowerCase()}.`,
  );
  return isPrinted;
}

/** The response, or an error unless it only says that there is no such job any more. */
async function send(url: string, request: RequestInit): Promise<Response> {
  const response = await fetch(url, { ...request, signal: AbortSignal.timeout(REQUEST_MS) });
  const { ok: isFine, status, headers } = response;
  const text = isFine ? '' : await response.clone().text();
  if (isFine || (status === 404 && text.includes('Job not found'))) return response;
  if (status === 404 && text.includes('Printer not found'))
    throw new CommandFailed(EXIT.notFound, `The service knows no printer with the address ${url}.`);
  // What it answers for a printer of Star, and for one of Epson.
  if (status === 415 || (status === 400 && text.includes('ConnectionType')))
    throw new CommandFailed(
      EXIT.notFound,
      `The printer with the address ${url} has another protocol than bridge.`,
    );
  const origin = headers.get('location');
  if (status === 421 && origin !== null) throw new Moved(new URL(new URL(url).pathname, origin).href);
  throw new Error(`The service answered ${status}`);
}

interface NetworkPrinter {
  readonly socket: Socket;
  readCode(): Promise<Code>;
  write(bytes: Uint8Array): Promise<void>;
}

async function connect(host: string, port: number): Promise<NetworkPrinter> {
  const socket = createConnection({ host, port });
  socket.on('error', () => socket.destroy());
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(CONNECT_MS) });
  } catch {
    socket.destroy();
    throw new Error(`${host}:${port} does not answer`);
  }
  /** DLE EOT n: the printer answers with one byte at once, whatever it is doing. */
  const ask = async (what: number): Promise<number | undefined> => {
    const reply = once(socket, 'data', { signal: AbortSignal.timeout(REPLY_MS) }) as Promise<[Buffer]>;
    socket.write(Uint8Array.of(0x10, 0x04, what));
    const answer = await reply.then(([bytes]) => bytes.at(-1)).catch(() => undefined);
    // A printer that answers nothing is believed while it is there: one that has gone may have printed nothing.
    if (answer === undefined && socket.destroyed) throw new Error(`${host}:${port} has ended the connection`);
    return answer;
  };
  return {
    socket,
    readCode: async () => {
      const cause = await ask(2);
      if (cause === undefined) return 'unknown';
      const paper = (await ask(4)) ?? 0;
      if ((cause & 0x20) !== 0 || (paper & 0x60) !== 0) return '410 Paper out';
      if ((cause & 0x04) !== 0) return '420 Cover open';
      if ((cause & 0x40) !== 0) return '400 Error';
      return (paper & 0x0c) === 0 ? '200 OK' : '211 Paper low';
    },
    write: (bytes) =>
      new Promise((resolve, reject) => {
        socket.write(bytes, (error) => (error === null || error === undefined ? resolve() : reject(error)));
      }),
  };
}

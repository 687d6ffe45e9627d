import {
  AuthenticationError,
  type Client,
  ConflictError,
  type MerchantMove,
  NotFoundError,
  PermissionError,
} from '#sdk';
import { InvalidArgumentError } from 'commander';
import { setTimeout as delay } from 'node:timers/promises';
import { MERCHANT, toWholeNumber } from '../lib/arguments.js';
import { checkedUrl, command, type CommandRow, connectTo } from '../lib/command.js';
import { CommandFailed, EXIT, UsageError } from '../lib/errors.js';
import { readSettings } from '../lib/settings.js';

const USUAL_SECONDS = 30;
const MOST_SECONDS = 600;
/** How often tables that still differ are sent again as a whole. */
const MOST_PASSES = 3;
const LOOK_EVERY_MS = 1_000;
const MOST_TRIES = 5;
const GO_ON = 'run the same command again: it goes on where the two places are.';

function toSeconds(text: string): number {
  const seconds = toWholeNumber(text);
  if (seconds < 1 || seconds > MOST_SECONDS)
    throw new InvalidArgumentError(`Expected 1 to ${MOST_SECONDS} seconds.`);
  return seconds;
}

/** One merchant, on its way from one installation to another. */
interface Journey {
  readonly merchant: string;
  readonly from: Client;
  readonly to: Client;
  /** The address that the old place names. */
  readonly address: string;
  readonly seconds: number;
  readonly say: (text: string) => void;
}

export const MOVE_ROWS: readonly CommandRow[] = [
  command('merchants move', 'move a merchant to another running installation (operator keys)', {
    takes: [MERCHANT],
    flags: [
      ['--to <url>', 'address of the other installation'],
      ['--to-key <key>', 'operator key there (default: the same as here)'],
      ['--to-profile <file>', 'file with the address and the key of the other installation'],
      ['--address <url>', 'address that clients are sent to (default: that of --to)'],
      ['--within <seconds>', 'refuse changes no longer than this (default: 30)', toSeconds],
      ['--give-up', 'remove the copy of a move that was begun and not finished'],
    ],
    run: async ({ client, out, terminal, flags }, given) => {
      if (given.to === undefined && given.toProfile === undefined)
        throw new UsageError('Say where to: add --to with an address, or --to-profile.');
      const there = { url: given.to, key: given.toKey ?? flags.key, profile: given.toProfile };
      const { url } = readSettings(there, terminal.config);
      const journey: Journey = {
        merchant: given.merchant,
        from: client,
        to: connectTo(terminal, there),
        address: new URL(checkedUrl(given.address ?? url)).origin,
        seconds: given.within ?? USUAL_SECONDS,
        say: (text) => void terminal.stderr.write(`${text}\n`),
      };
      if (given.giveUp === true) {
        const { state, to } = await client.getMerchantMove(given.merchant);
        if (state === 'moved' && to !== journey.address) throw hasMovedTo(journey, to);
        if (state !== 'here')
          throw new CommandFailed(
            EXIT.conflict,
            state === 'refusing'
              ? 'The merchant is being moved at this moment. Nothing was removed. Run the command again in a moment.'
              : 'The old place has let the merchant go, so the copy is needed. Nothing was removed. Run the command again without --give-up to put it into use.',
          );
        await journey.to.giveUpMerchantMove(given.merchant);
        return out.done('Removed the copy. The merchant stays where it is.', {});
      }
      journey.say(`If this is interrupted, ${GO_ON}`);
      await settle(journey);
      const refused = await move(journey).catch((error: unknown) => {
        if (!(error instanceof CommandFailed))
          journey.say(`The move is not finished. To finish it, ${GO_ON}`);
        throw error;
      });
      const duration = refused === undefined ? '' : ` Changes were refused for ${refused} s.`;
      out.done(
        `The merchant has moved to ${journey.address}.${duration} Delete it in the old place once no client asks there.`,
        { merchant_id: given.merchant, to: journey.address, refused_seconds: refused },
      );
    },
  }),
];

/** Waits while changes of the merchant are refused: by another move, or by one that was interrupted. */
async function settle({ merchant, from, say }: Journey): Promise<void> {
  for (let hasSaid = false; ; hasSaid = true) {
    const { state, until } = await from.getMerchantMove(merchant);
    if (state !== 'refusing') return;
    if (!hasSaid)
      say(
        `Another move of the merchant is under way, or was interrupted. Waiting until ${until ?? 'it ends'}.`,
      );
    await delay(LOOK_EVERY_MS);
  }
}

/** Goes on from wherever the two places are. Returns for how many seconds changes were refused, if they were. */
async function move(journey: Journey): Promise<number | undefined> {
  const { merchant, from, to, address } = journey;
  const here = await from.getMerchantMove(merchant);
  const there = await to.getMerchantMove(merchant).catch((error: unknown) => {
    if (error instanceof NotFoundError) return undefined;
    if (error instanceof AuthenticationError || error instanceof PermissionError)
      throw new CommandFailed(
        EXIT.denied,
        `The other place: ${error.message}. Give an operator key of it with --to-key or --to-profile.`,
      );
    throw error;
  });
  if (here.state === 'moved') {
    if (here.to !== address || there === undefined || there.state === 'moved')
      throw hasMovedTo(journey, here.to);
    if (there.state === 'arriving') await putIntoUse(journey);
    return undefined;
  }
  if (here.state === 'arriving')
    throw new CommandFailed(EXIT.conflict, 'The merchant is still arriving here. Finish that move first.');
  if (there !== undefined && there.state !== 'arriving')
    throw new CommandFailed(
      EXIT.conflict,
      there.state === 'moved'
        ? 'The merchant has moved away from there, and cannot move back.'
        : 'The merchant is in use at both addresses: they are the same installation, or the merchant was restored there.',
    );
  const position = there?.position ?? (await copy(journey, here));
  journey.say('Copying what has changed since.');
  const reached = await bringUpToDate(journey, position);
  return switchOver(journey, reached);
}

/** Of two moves to two places, one is first: the copy of the other must never be put into use. */
function hasMovedTo({ merchant }: Journey, place = 'another place'): CommandFailed {
  return new CommandFailed(
    EXIT.conflict,
    `The merchant has moved to ${place}. If that is another address of the same place, add --address ${place}. ` +
      `Otherwise remove the copy that this move has made, if any: send DELETE /manage/v1/merchants/${merchant}/move there.`,
  );
}

/** Copies everything while the merchant is in use. Returns the position of the copy. */
async function copy({ merchant, from, to, say }: Journey, { position }: MerchantMove): Promise<string> {
  say('Copying the merchant. It stays in use meanwhile.');
  const { bytes } = await from.archiveMerchant(merchant);
  await to.restoreMerchant(bytes, { position });
  return position;
}

/** Sends what was written since the position until both places are the same. Returns the new position. */
async function bringUpToDate({ merchant, from, to }: Journey, since: string): Promise<string> {
  const { position } = await from.getMerchantMove(merchant);
  let whole: readonly string[] = [];
  for (let passes = 0; passes < MOST_PASSES; passes += 1) {
    const { bytes } = await from.listMerchantChanges(merchant, { since, whole: whole.join(',') });
    const { differing } = await to.applyMerchantChanges(merchant, bytes);
    if (differing.length === 0) return position;
    whole = differing;
  }
  throw new CommandFailed(
    EXIT.failed,
    `The two places are not the same in ${whole.join(', ')}. The merchant stays where it is. Add --give-up, then move it again.`,
  );
}

async function switchOver(journey: Journey, since: string): Promise<number> {
  const { merchant, from, address, seconds, say } = journey;
  const began = Date.now();
  const { until } = await from.changeMerchantMove(merchant, { state: 'refusing', seconds });
  say(`Changes are refused for at most ${seconds} s.`);
  try {
    await bringUpToDate(journey, since);
    await from.changeMerchantMove(merchant, { state: 'moved', to: address, ...(until && { until }) });
  } catch (error) {
    // Unless it has moved after all, and only the response was lost.
    const { state } = await from.getMerchantMove(merchant);
    if (state === 'refusing') await from.changeMerchantMove(merchant, { state: 'here' });
    if (state !== 'moved') throw explain(error);
  }
  await putIntoUse(journey);
  return Math.ceil((Date.now() - began) / 1_000);
}

function explain(error: unknown): unknown {
  if (!(error instanceof ConflictError)) return error;
  return new CommandFailed(
    EXIT.conflict,
    `${error.message}. The merchant stays where it is. Run the command again, with a longer --within if it took too long.`,
  );
}

/** From here on nobody else may use the merchant, so this is not given up easily. */
async function putIntoUse({ merchant, to }: Journey): Promise<void> {
  for (let tries = 1; ; tries += 1)
    try {
      await to.changeMerchantMove(merchant, { state: 'here' });
      return;
    } catch (error) {
      if (tries < MOST_TRIES) await delay(LOOK_EVERY_MS);
      else
        throw new CommandFailed(
          EXIT.failed,
          `The old place has let the merchant go, and the new one cannot be reached: ${(error as Error).message}. ` +
            'Run the command again to put it into use there.',
        );
    }
}

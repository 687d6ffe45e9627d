import type { MadeWithKey } from '#sdk';
import { KEY } from '../lib/arguments.js';
import { command, type CommandRow, confirmOrStop, YES } from '../lib/command.js';
import { counted } from '../lib/text.js';

/** What a key makes, and what can end with it. */
const MADE = ['keys', 'webhooks', 'publications'] as const;

export const KEY_ROWS: readonly CommandRow[] = [
  command('keys revoke', 'revoke a key, effective with the next request', {
    takes: [KEY],
    flags: [
      ['--also <what...>', 'what else ends: keys it issued, its webhooks, its scheduled publications', MADE],
      YES,
    ],
    run: async (context, { key, also, yes }) => {
      const { client } = context;
      const { made } = await client.getKey(key);
      const named = describeMade(made);
      const question = also === undefined && named !== '' ? `It has made ${named}: end them too?` : undefined;
      const isToEnd = await confirmOrStop(context, `Revoke the key ${key}?`, yes, question);
      const ended = also ?? (isToEnd ? MADE : []);
      const revoked = await client.revokeKey(key, { also: ended.length === 0 ? undefined : ended.join(',') });
      const rest = revoked === undefined ? '' : ` What it made goes on: ${describeMade(revoked.goes_on)}.`;
      context.out.done(`Revoked the key ${key}.${rest}`, { revoked: key, ...revoked });
    },
  }),
];

/** For people, such as `2 keys, 1 webhook`; empty if there is nothing. */
function describeMade(made: MadeWithKey): string {
  return MADE.filter((kind) => made[kind] > 0)
    .map((kind) => counted(made[kind], kind.slice(0, -1)))
    .join(', ');
}

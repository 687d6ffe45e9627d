import type { Key, KeyCreate, MadeWithKey } from '#sdk';
import { type Command, Option } from 'commander';
import { isResourceId } from '../../support/uuid.js';
import { toWholeNumber, YES } from '../lib/arguments.js';
import { confirmOrStop, setAction } from '../lib/command.js';
import { CommandFailed, EXIT } from '../lib/errors.js';
import { showSecret } from '../lib/output.js';
import type { Terminal } from '../lib/terminal.js';

const PERMISSIONS: KeyCreate['permissions'] = [
  'read',
  'menu:write',
  'stock:write',
  'orders:write',
  'webhooks:write',
  'store:write',
  'keys:write',
];
/** What a key makes, and what can end with it. */
const MADE = ['keys', 'webhooks', 'publications'] as const;
const KEY = ['<key>', 'key id, not the secret', keyId] as const;

interface KeyFlags {
  readonly merchant?: string;
  readonly permission: KeyCreate['permissions'];
  readonly store?: string[];
  readonly label?: string;
  readonly expires?: string;
}

interface RevokeFlags {
  readonly yes?: boolean;
  readonly also?: readonly (keyof MadeWithKey)[];
}

export function addKeyCommands(program: Command, terminal: Terminal): void {
  const keys = program.command('keys').description('manage API keys (operator key, or keys:write)');

  const list = keys
    .command('list')
    .description('list keys, including expired and revoked ones')
    .option('--merchant <id>', 'only keys of this merchant');
  setAction(list, terminal, async ({ connect, out }, { merchant }: { merchant?: string }) => {
    await out.listAll(
      (await connect()).iterateKeys({ merchant_id: merchant }),
      [
        { title: 'ID', value: ({ id }) => id },
        { title: 'STATE', value: stateOf },
        { title: 'LABEL', value: ({ label }) => label, shrinksTo: 10 },
        { title: 'ENDS IN', value: (key) => key.last_four },
        { title: 'MAY', value: mayOf, shrinksTo: 10, isExtra: true },
        { title: 'LAST USED', value: (key) => key.last_used_at?.slice(0, 10), isExtra: true },
      ],
      'No keys.',
    );
  });

  const create = keys
    .command('create')
    .description('issue a key for a merchant; the secret is shown only once')
    .option('--merchant <id>', 'merchant that the key acts for; required with an operator key')
    .addOption(
      new Option('--permission <name...>', 'permissions of the key').choices(PERMISSIONS).default(['read']),
    )
    .option('--store <id...>', 'only these stores (default: every store)')
    .option('--label <text>', 'what the key is for, such as "Till 1"')
    .option('--expires <datetime>', 'expiry (default: never)');
  setAction(create, terminal, async ({ connect, out }, flags: KeyFlags) => {
    const client = await connect();
    const issued = await client.issueKey({
      merchant_id: flags.merchant,
      permissions: flags.permission,
      store_ids: flags.store,
      label: flags.label,
      expires_at: flags.expires,
    });
    showSecret(out, issued, issued.key, `keys rotate ${issued.id} --overlap 0`);
  });

  const change = keys
    .command('change')
    .description('change what a key is called, or what it may do')
    .argument(...KEY)
    .option('--label <text>', 'a new label')
    .addOption(new Option('--permission <name...>', 'what it may do from now on').choices(PERMISSIONS))
    .option('--store <id...>', 'only these stores');
  setAction(change, terminal, async ({ connect, out }, flags: Partial<KeyFlags>, id: string) => {
    const changed = await (
      await connect()
    ).changeKey(id, { label: flags.label, permissions: flags.permission, store_ids: flags.store });
    out.done(`The key ${id} may: ${mayOf(changed)}.`, changed);
  });

  const link = keys
    .command('link')
    .description('print a link that signs in to the console with a key, once, within 24 hours')
    .argument(...KEY);
  setAction(link, terminal, async ({ connect, out }, _flags: object, id: string) => {
    const made = await (await connect()).makeSignInLink(id);
    out.done(made.url, made);
  });

  const own = program
    .command('console-link')
    .description('print a link that signs in to the console with your own key, once, within 24 hours');
  setAction(own, terminal, async ({ connect, out }) => {
    const made = await (await connect()).makeSignInLink('current');
    out.done(made.url, made);
  });

  const rotate = keys
    .command('rotate')
    .description('replace a key; the old one keeps working for the overlap')
    .argument(...KEY)
    .option('--overlap <seconds>', 'how long the old key keeps working (default: 86400)', toWholeNumber);
  setAction(rotate, terminal, async ({ connect, out }, { overlap }: { overlap?: number }, id: string) => {
    const issued = await (await connect()).rotateKey(id, { overlap_seconds: overlap });
    showSecret(out, issued, issued.key, `keys rotate ${issued.id} --overlap 0`);
  });

  const revoke = keys
    .command('revoke')
    .description('revoke a key, effective with the next request')
    .argument(...KEY)
    .addOption(
      new Option(
        '--also <what...>',
        'what else ends: keys it issued, its webhooks, its scheduled publications',
      ).choices(MADE),
    )
    .option(...YES);
  setAction(revoke, terminal, async (context, { yes, also }: RevokeFlags, id: string) => {
    const client = await context.connect();
    const { made } = await client.getKey(id);
    const named = describeMade(made);
    const question = also === undefined && named !== '' ? `It has made ${named}: end them too?` : undefined;
    const isToEnd = await confirmOrStop(context, `Revoke the key ${id}?`, yes, question);
    const ended = also ?? (isToEnd ? MADE : []);
    const revoked = await client.revokeKey(id, { also: ended.length === 0 ? undefined : ended.join(',') });
    const rest = revoked === undefined ? '' : ` What it made goes on: ${describeMade(revoked.goes_on)}.`;
    context.out.done(`Revoked the key ${id}.${rest}`, { revoked: id, ...revoked });
  });
}

/** For people, such as `2 keys, 1 webhook`; empty if there is nothing. */
function describeMade(made: MadeWithKey): string {
  return MADE.filter((kind) => made[kind] > 0)
    .map((kind) => `${made[kind]} ${made[kind] === 1 ? kind.slice(0, -1) : kind}`)
    .join(', ');
}

/** The argument may be a secret, so the message does not repeat it. */
function keyId(given: string): string {
  if (isResourceId(given)) return given;
  throw new CommandFailed(
    EXIT.usage,
    'Not a key id. Use the id of the key, not its secret. See: comanda keys list',
  );
}

function stateOf(key: Key): string {
  if (key.revoked_at !== undefined) return 'revoked';
  return key.expires_at !== undefined && Date.parse(key.expires_at) <= Date.now() ? 'expired' : 'works';
}

function mayOf(key: Key): string {
  return key.kind === 'operator' ? 'everything' : key.permissions.join(', ');
}

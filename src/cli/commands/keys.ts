import type { Key, KeyCreate } from '#sdk';
import { Option, type Command } from 'commander';
import { isResourceId } from '../../domain/uuid.js';
import { toWholeNumber } from '../arguments.js';
import { confirmOrStop } from '../confirm-or-stop.js';
import { CommandFailed, EXIT } from '../exit-codes.js';
import { setAction } from '../command-context.js';
import { showSecret } from '../show-secret.js';
import type { Terminal } from '../terminal.js';

const PERMISSIONS: KeyCreate['permissions'] = [
  'read',
  'menu:write',
  'stock:write',
  'orders:write',
  'webhooks:write',
];
const KEY = ['<key>', 'the id of the key, not its secret', keyId] as const;

interface KeyFlags {
  readonly merchant: string;
  readonly permission: KeyCreate['permissions'];
  readonly store?: string[];
  readonly label?: string;
  readonly expires?: string;
}

export function addKeyCommands(program: Command, terminal: Terminal): void {
  const keys = program.command('keys').description('the keys that open the service (operator key)');

  const list = keys
    .command('list')
    .description('list keys, also those that no longer work')
    .option('--merchant <id>', 'only those of one merchant');
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
    .description('issue a key for a merchant; its secret is shown this once')
    .requiredOption('--merchant <id>', 'the merchant it acts for')
    .addOption(new Option('--permission <name...>', 'what it may do').choices(PERMISSIONS).default(['read']))
    .option('--store <id...>', 'only these stores; every one unless told')
    .option('--label <text>', 'what it is for, such as "Till 1"')
    .option('--expires <datetime>', 'until when it works; for ever unless told');
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

  const rotate = keys
    .command('rotate')
    .description('issue a key with the same reach; the old one works on for the overlap')
    .argument(...KEY)
    .option('--overlap <seconds>', 'how long the old one works on; a day unless told', toWholeNumber);
  setAction(rotate, terminal, async ({ connect, out }, { overlap }: { overlap?: number }, id: string) => {
    const issued = await (await connect()).rotateKey(id, { overlap_seconds: overlap });
    showSecret(out, issued, issued.key, `keys rotate ${issued.id} --overlap 0`);
  });

  const revoke = keys
    .command('revoke')
    .description('end a key, from the very next request on')
    .argument(...KEY)
    .option('-y, --yes', 'do not ask');
  setAction(revoke, terminal, async (context, { yes }: { yes?: boolean }, id: string) => {
    const client = await context.connect();
    await confirmOrStop(context, `Revoke the key ${id}?`, yes);
    await client.revokeKey(id);
    context.out.done(`The key ${id} no longer works.`, { revoked: id });
  });
}

/** What is given instead may be a secret, so it is not repeated. */
function keyId(given: string): string {
  if (isResourceId(given)) return given;
  throw new CommandFailed(EXIT.usage, 'A key is named by its id, not by its secret. See: comanda keys list');
}

function stateOf(key: Key): string {
  if (key.revoked_at !== undefined) return 'revoked';
  return key.expires_at !== undefined && Date.parse(key.expires_at) <= Date.now() ? 'expired' : 'works';
}

function mayOf(key: Key): string {
  return key.kind === 'operator' ? 'everything' : key.permissions.join(', ');
}

import type { Client } from '#sdk';
import { Option, type Command } from 'commander';
import { writeFile } from 'node:fs/promises';
import { stringify } from 'yaml';
import { toWholeNumber } from '../arguments.js';
import { toPlainLines, toSafeJson } from '../plain-text.js';
import { setAction } from '../command-context.js';
import { findStoreId } from '../store-argument.js';
import type { Terminal } from '../terminal.js';

interface PullFlags {
  readonly output?: string;
  readonly format?: 'json' | 'yaml';
  readonly form: 'posted' | 'tree' | 'flat';
  readonly atVersion?: number;
}

export function addMenuPullCommand(menu: Command, terminal: Terminal): void {
  const pull = menu
    .command('pull')
    .description('get the menu as it was published, to edit and push again')
    .argument('<store>', 'its id or external_id')
    .option('-o, --output <file>', 'write it to a file; .yaml or .yml makes it YAML')
    .addOption(new Option('--format <name>', 'whatever the file is called').choices(['json', 'yaml']))
    .addOption(
      new Option('--form <name>', 'as it was posted, or as the service shows it')
        .choices(['posted', 'tree', 'flat'])
        .default('posted'),
    )
    .option('--at-version <number>', 'an earlier version, as it was posted', toWholeNumber);
  setAction(pull, terminal, async ({ connect, out, flags }, options: PullFlags, given: string) => {
    const client = await connect();
    const value = await readMenu(client, await findStoreId(client, given), options);
    const isYaml =
      options.format === undefined ? /\.ya?ml$/i.test(options.output ?? '') : options.format === 'yaml';
    const text = isYaml && flags.json !== true ? stringify(value) : `${toSafeJson(value, 2)}\n`;
    if (options.output === undefined) {
      terminal.stdout.write(terminal.isForPeople ? toPlainLines(text) : text);
      return;
    }
    await writeFile(options.output, text);
    out.note(`Wrote ${options.output}.`);
  });
}

/** What was posted leaves out what its author left out, so that pushing it again moves no sold-out mark. */
async function readMenu(client: Client, storeId: string, { form, atVersion }: PullFlags): Promise<unknown> {
  if (form === 'tree') return client.getMenuConfiguration(storeId);
  if (form === 'flat') return client.getMenuConfigurationFlat(storeId);
  const wanted = atVersion ?? (await client.listMenuVersions(storeId, { limit: 1 })).current_version;
  return wanted === 0 ? { items: [] } : client.getMenuVersion(storeId, wanted);
}

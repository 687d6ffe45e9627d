import { KINDS, LIST_OF, memberOf } from '../menus/kinds.js';
import { menuTag } from '../menus/tags.js';
import { valueError } from '../support/error-details.js';
import { listIn } from './menu.js';
import { moneyText, toAnswer, type Json, type Wording } from './show.js';
import { OperationRefused, unlessForbidden, type ToolCall } from './tool.js';

/**
 * A proposal names the version that the changes were shown against, and signs it with the changes: nothing is kept between the
 * two calls, and what was not shown has no proposal, nor have other changes or another menu.
 */
async function proposalOf({ sign }: ToolCall, storeId: unknown, version: number, changes: unknown) {
  return `${version}.${(await sign(JSON.stringify(['proposal', storeId, version, changes]))).slice(0, 40)}`;
}

/** The dry run of changes: what they do to the menu as it is now, and the proposal to publish exactly that. */
export async function proposeChanges(call: ToolCall, args: Json): Promise<Json> {
  const { store_id: storeId, changes, cursor } = args;
  const tried = await call.run('change_menu', { store_id: storeId, changes, dry_run: true });
  const menu = await call.run('get_menu_configuration_flat', { store_id: storeId }).catch(unlessForbidden);
  const wording = await call.wordingOf(storeId);
  const version = Number(memberOf(tried, 'version'));
  const differences = listDifferences({ diff: memberOf(tried, 'diff'), menu, changes }, wording);
  const warnings = memberOf(tried, 'warnings');
  const fields = {
    menu_version: version,
    changes_something: differences.length > 0,
    warnings: Array.isArray(warnings) ? warnings.slice(0, MOST_WARNINGS) : [],
    warning_count: memberOf(tried, 'warning_count'),
    proposal: await proposalOf(call, storeId, version, changes),
  };
  return toAnswer({ fields, list: differences, as: 'difference' }, cursor, wording);
}

const MOST_WARNINGS = 20;

/** Publishes what was shown. Where the menu has moved since, nothing is published, and the new difference is shown instead. */
export async function publishProposal(call: ToolCall, args: Json): Promise<Json> {
  const { store_id: storeId, changes, proposal } = args;
  const version = Number(String(proposal).split('.')[0]);
  if (proposal !== (await proposalOf(call, storeId, version, changes)))
    throw valueError(
      ['arguments', 'proposal'],
      'this is no proposal for these changes in this store; call propose_menu_changes with them first',
    );
  const tag = menuTag(String(storeId), { version, stockRevision: 0 }, 'flat', 'identity');
  try {
    const published = await call.run('change_menu', { store_id: storeId, changes }, tag);
    return { published: true, menu_version: memberOf(published, 'version') };
  } catch (error) {
    if (!(error instanceof OperationRefused) || error.status !== 412) throw error;
    const { changes_something: differs, ...now } = await proposeChanges(call, { store_id: storeId, changes });
    // The first of two calls whose answer was lost: what was shown is what is published.
    if (differs === false) return { published: true, menu_version: now['menu_version'] };
    throw new OperationRefused(412, {
      ...now,
      detail:
        'The menu has changed since this was proposed, and nothing was published. Show the new difference first.',
    });
  }
}

interface Difference {
  readonly kind: string;
  readonly external_id?: string;
  readonly change: 'added' | 'removed' | 'changed' | 'reordered';
  readonly fields?: readonly Json[];
}

/** Each entity that differs; of a field that was set, what it was and what it becomes. */
function listDifferences({ diff, menu, changes }: Json, wording: Wording): Difference[] {
  const nameOf = (kind: unknown, id: unknown) => `${String(kind)} ${String(id)}`;
  const set = new Map(
    (changes as unknown[]).map((change) => [
      nameOf(memberOf(change, 'kind'), memberOf(change, 'external_id')),
      memberOf(change, 'set'),
    ]),
  );
  return KINDS.flatMap((kind): Difference[] => {
    const { added, removed, changed, reordered } = memberOf(diff, LIST_OF[kind]) as KindDiff;
    const before = new Map(
      changed.length === 0
        ? []
        : listIn(menu, LIST_OF[kind]).map((entity) => [entity['external_id'], entity]),
    );
    return [
      ...added.map((id) => ({ kind, external_id: id, change: 'added' as const })),
      ...removed.map((id) => ({ kind, external_id: id, change: 'removed' as const })),
      ...changed.map(({ external_id: id, fields }) => ({
        kind,
        external_id: id,
        change: 'changed' as const,
        fields: fields.slice(0, MOST_FIELDS).map((field) => {
          const [from, to] = [before.get(id), set.get(nameOf(kind, id))].map((one) => valueAt(one, field));
          const texts = [from, to].map((value) => moneyText(field, value, wording));
          return { field, before: texts[0] ?? from, after: texts[1] ?? to };
        }),
      })),
      ...(reordered ? [{ kind, change: 'reordered' as const }] : []),
    ];
  });
}

interface KindDiff {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly { readonly external_id: string; readonly fields: readonly string[] }[];
  readonly reordered: boolean;
}

const MOST_FIELDS = 20;

/** Only what is short: of a list or a map, that it changes is enough. */
function valueAt(entity: unknown, path: string): unknown {
  const value = path.split('.').reduce(memberOf, entity);
  return typeof value === 'object' ? undefined : value;
}

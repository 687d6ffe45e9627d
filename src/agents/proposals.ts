import type { Static } from '../support/shape/type.js';
import { KINDS, LIST_OF } from '../menus/kinds.js';
import { memberOf } from '../support/maps.js';
import type { MenuChangeResult } from '../menus/response-shapes.js';
import { menuTag } from '../menus/tags.js';
import type { MenuDiff } from '../menus/versions/diff.js';
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

type Tried = Omit<Static<typeof MenuChangeResult>, 'diff'> & { readonly diff: MenuDiff };

/** The dry run of changes: what they do to the menu as it is now, and the proposal to publish exactly that. */
export async function proposeChanges(call: ToolCall, args: Json): Promise<Json> {
  const { store_id: storeId, changes, cursor } = args;
  const tried = await call.run('change_menu', { store_id: storeId, changes, dry_run: true });
  const menu = await call.run('get_menu_configuration_flat', { store_id: storeId }).catch(unlessForbidden);
  const wording = await call.wordingOf(storeId);
  const { version, diff, warnings, warning_count } = tried as Tried;
  const difference = listDifferences(diff, menu, changes as Change[], wording);
  const fields = {
    menu_version: version,
    changes_something: difference.length > 0,
    warning_count,
    proposal: await proposalOf(call, storeId, version, changes),
  };
  return toAnswer({ fields, lists: { difference, warnings } }, cursor, wording);
}

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

type Change = Readonly<Record<'kind' | 'external_id' | 'set', unknown>>;

/** Each entity that differs; of a field that was set, what it was and what it becomes. */
function listDifferences(
  diff: MenuDiff,
  menu: unknown,
  changes: readonly Change[],
  wording: Wording,
): Json[] {
  const nameOf = (kind: unknown, id: unknown) => `${String(kind)} ${String(id)}`;
  const set = new Map(changes.map((change) => [nameOf(change.kind, change.external_id), change.set]));
  return KINDS.flatMap((kind): Json[] => {
    const { added, removed, changed, reordered } = diff[LIST_OF[kind]];
    const entities = changed.length === 0 ? [] : listIn(menu, LIST_OF[kind]);
    const before = new Map(entities.map((entity) => [entity['external_id'], entity]));
    return [
      ...added.map((external_id) => ({ kind, external_id, change: 'added' })),
      ...removed.map((external_id) => ({ kind, external_id, change: 'removed' })),
      ...changed.map(({ external_id, fields }) => ({
        kind,
        external_id,
        change: 'changed',
        fields: fields.slice(0, MOST_FIELDS).map((field) => {
          const sides = [before.get(external_id), set.get(nameOf(kind, external_id))];
          const [from, to] = sides.map((side) => {
            const value = valueAt(side, field);
            return moneyText(field, value, wording) ?? value;
          });
          return { field, before: from, after: to };
        }),
      })),
      ...(reordered ? [{ kind, change: 'reordered' }] : []),
    ];
  });
}

const MOST_FIELDS = 20;

/** Only what is short: of a list or a map, that it changes is enough. */
function valueAt(entity: unknown, path: string): unknown {
  const value = path.split('.').reduce(memberOf, entity);
  return typeof value === 'object' ? undefined : value;
}

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { MenuConfigurationRequest } from '#sdk';
import { client } from '../../../data/session.js';
import { useEvents, type LiveStore } from '../../../data/live/live-store.js';
import { useLoad } from '../../../ui/loading.js';
import type { Kind } from '../../../../../src/menus/kinds.js';
import {
  applyEdits,
  keepMine,
  rebase,
  takeTheirs,
  toMenu,
  withEdit,
  withoutEntity,
  withoutSent,
  type Conflict,
  type Edit,
  type Entity,
  type Menu,
} from './draft.js';

/** What is published, and the tag that says so when something else is to take its place. */
interface Published {
  readonly version: number;
  readonly tag: string;
  readonly configuration: MenuConfigurationRequest;
  readonly menu: Menu;
}

/** An entity as a person saw it, undefined where it is new, and what it is to be. */
type Wanted = readonly [kind: Kind, seen: Entity | undefined, wanted: Entity];

export interface Draft {
  readonly published: Published;
  readonly edits: readonly Edit[];
  readonly conflicts: readonly Conflict[];
  /** What is published, with the edits in it. */
  readonly menu: Menu;
  readonly put: (...wanted: readonly Wanted[]) => void;
  readonly remove: (kind: Kind, id: string, seen: Entity | undefined) => void;
  /** Takes out the edits that are published. */
  readonly removeSent: (sent: readonly Edit[]) => void;
  readonly discard: () => void;
  readonly settle: (conflict: Conflict, keeps: 'mine' | 'theirs') => void;
  readonly reload: () => void;
}

interface DraftState {
  /** Undefined until the menu is read. */
  readonly draft: Draft | undefined;
  readonly error: unknown;
  readonly reload: () => void;
}

const keyOf = (storeId: string) => `comanda:draft:${storeId}`;

/** Edits of a menu that are published together. They stay in this browser until then, for all its tabs. */
export function useDraft(storeId: string, live: LiveStore): DraftState {
  const edits = useSignal<readonly Edit[]>(readEdits(storeId));
  /** Other tabs may have changed the draft: what this browser keeps counts. */
  const change = (toNext: (kept: readonly Edit[]) => readonly Edit[]) => {
    const next = toNext(readEdits(storeId));
    if (next.length === 0) localStorage.removeItem(keyOf(storeId));
    else localStorage.setItem(keyOf(storeId), JSON.stringify(next));
    edits.value = next;
  };
  const published = useLoad(
    async (signal) => {
      const found = await readPublished(storeId, signal);
      change((kept) => rebase(found.menu, kept).edits);
      return found;
    },
    [storeId],
  );
  const { reload } = published;
  useEvents(live, reload, (_, type) => type === 'menu.published');
  useEffect(() => {
    const follow = ({ key }: StorageEvent) => {
      if (key === keyOf(storeId) || key === null) edits.value = readEdits(storeId);
    };
    addEventListener('storage', follow);
    return () => removeEventListener('storage', follow);
  }, [storeId]);

  const draftOf = (found: Published): Draft => ({
    published: found,
    edits: edits.value,
    conflicts: rebase(found.menu, edits.value).conflicts,
    menu: applyEdits(found.menu, edits.value),
    put: (...wanted) =>
      change((kept) =>
        wanted.reduce(
          (edited, [kind, seen, entity]) =>
            withEdit(found.menu, edited, kind, entity.external_id, seen, entity),
          kept,
        ),
      ),
    remove: (kind, id, seen) => change((kept) => withoutEntity(found.menu, kept, kind, id, seen)),
    removeSent: (sent) => change((kept) => withoutSent(kept, sent)),
    discard: () => change(() => []),
    settle: (conflict, keeps) => change((kept) => (keeps === 'mine' ? keepMine : takeTheirs)(kept, conflict)),
    reload,
  });
  const found = published.value.value;
  return { draft: found && draftOf(found), error: published.error.value, reload };
}

/** What this browser keeps may be of any age, or not be ours at all. */
function readEdits(storeId: string): readonly Edit[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(storeId)) ?? '[]');
    return Array.isArray(kept) ? (kept as Edit[]) : [];
  } catch {
    return [];
  }
}

async function readPublished(storeId: string, signal: AbortSignal): Promise<Published> {
  // The tag first: where someone publishes in between, publishing is refused, and nothing of theirs is lost.
  const { headers } = await client.request({
    method: 'HEAD',
    path: `/v1/stores/${storeId}/menu_configuration/flat`,
    answer: 'nothing',
    signal,
  });
  const { current_version: version } = await client.listMenuVersions(storeId, { limit: 1 }, { signal });
  const configuration =
    version === 0 ? { items: [] } : await client.getMenuVersion(storeId, version, { signal });
  return { version, tag: headers.get('etag') ?? '', configuration, menu: toMenu(configuration) };
}

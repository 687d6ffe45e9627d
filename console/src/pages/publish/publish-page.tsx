import { useSignal } from '@preact/signals';
import {
  ValidationError,
  type Fault,
  type ManagedStore,
  type MenuCheck,
  type MenuConfigurationRequest,
} from '#sdk';
import { client } from '../../client.js';
import { Changes } from '../../menu-changes/changes.js';
import { isEmptyDiff, toChanges } from '../../menu-changes/to-changes.js';
import { Busy } from '../../parts/busy.js';
import { Empty } from '../../parts/empty.js';
import { toCount } from '../../parts/format.js';
import { Icon } from '../../parts/icon.js';
import { say } from '../../parts/toasts.js';
import { Trouble } from '../../parts/trouble.js';
import { useTask } from '../../parts/use-task.js';
import { useTitle } from '../../parts/use-title.js';
import { navigate, toHref } from '../../router.js';
import { may } from '../../session.js';
import { nameOf } from '../../stores.js';
import { DropZone } from './drop-zone.js';
import { FaultyFile, type PlacedFault } from './faulty-file.js';
import { readDocument, type MenuDocument } from './read-document.js';
import './publish.css';

type Stage =
  | { readonly is: 'waiting' }
  | { readonly is: 'working'; readonly what: string }
  | {
      readonly is: 'faulty';
      readonly name: string;
      readonly lines: readonly string[];
      readonly faults: readonly PlacedFault[];
    }
  | {
      readonly is: 'checked';
      readonly document: MenuDocument;
      readonly check: MenuCheck;
      readonly tag: string;
      readonly before: MenuConfigurationRequest;
    }
  | { readonly is: 'failed'; readonly error: unknown };

/** From a file to a published menu: read it, have it checked, see what it changes, and only then publish. */
export function PublishPage({ store }: { readonly store: ManagedStore }) {
  const stage = useSignal<Stage>({ is: 'waiting' });
  useTitle('Publish a menu', nameOf(store));

  const take = async (file: File) => {
    stage.value = { is: 'working', what: `Reading ${file.name}` };
    const result = await readDocument(file);
    if (result.is === 'faulty') {
      const { name, lines, fault } = result;
      stage.value = { is: 'faulty', name, lines, faults: [{ line: fault.line, message: fault.message }] };
      return;
    }
    const { document: read } = result;
    stage.value = { is: 'working', what: `Checking ${file.name}` };
    try {
      stage.value = await check(store, read);
    } catch (error) {
      stage.value =
        error instanceof ValidationError
          ? {
              is: 'faulty',
              name: read.name,
              lines: read.lines,
              faults: error.faults.map((fault) => toPlaced(read, fault)),
            }
          : { is: 'failed', error };
    }
  };
  const takeSafely = (file: File) =>
    void take(file).catch((error: unknown) => (stage.value = { is: 'failed', error }));

  if (!may('menu:write'))
    return (
      <Empty icon="upload" title="This key may not publish" isPage>
        <p>Publishing needs a key with the permission menu:write. The operator can issue one.</p>
      </Empty>
    );
  const current = stage.value;
  return (
    <>
      <header>
        <h1>Publish a menu</h1>
        <CurrentMenu store={store} />
      </header>
      {current.is !== 'working' && <DropZone isSmall={current.is !== 'waiting'} onFile={takeSafely} />}
      {current.is === 'working' && <Busy>{current.what}</Busy>}
      {current.is === 'failed' && <Trouble error={current.error} />}
      {current.is === 'faulty' && (
        <FaultyFile name={current.name} lines={current.lines} faults={current.faults} />
      )}
      {current.is === 'checked' && <Checked store={store} {...current} />}
    </>
  );
}

async function check(store: ManagedStore, read: MenuDocument): Promise<Stage> {
  const { headers } = await client.withAnswer.getMenuConfigurationFlat(store.id);
  const { body } = await client.request({
    method: 'POST',
    path: `/manage/v1/stores/${store.id}/menu/check`,
    body: read.bytes,
  });
  const result = body as MenuCheck;
  const before =
    result.current_version === 0
      ? { items: [] }
      : await client.getMenuVersion(store.id, result.current_version);
  return { is: 'checked', document: read, check: result, tag: headers.get('etag') ?? '', before };
}

function toPlaced(read: MenuDocument, fault: Fault): PlacedFault {
  const [, ...steps] = fault.loc;
  const path = steps.map((step, at) =>
    typeof step === 'number' ? `[${step}]` : `${at === 0 ? '' : '.'}${step}`,
  );
  return { line: read.lineOf(fault), message: `${path.join('')}: ${fault.msg}` };
}

interface CheckedProps {
  readonly store: ManagedStore;
  readonly document: MenuDocument;
  readonly check: MenuCheck;
  readonly tag: string;
  readonly before: MenuConfigurationRequest;
}

function Checked({ store, document: read, check: result, tag, before }: CheckedProps) {
  const { isBusy, error, run } = useTask();
  const publish = async () => {
    // Refused when someone else has published since the changes were shown.
    await client.request({
      method: 'POST',
      path: `/v1/stores/${store.id}/menu_configuration/`,
      body: read.bytes,
      headers: tag === '' ? {} : { 'if-match': tag },
    });
    say('The menu is published');
    navigate(toHref(`/stores/${store.id}/menu`));
  };
  const { items, categories } = result.counts;
  const after = read.value as MenuConfigurationRequest;
  return (
    <section class="stack" aria-label="What publishing changes">
      {result.is_current || isEmptyDiff(result.diff) ? (
        <Empty icon="check" title="This is the current menu already">
          <p>
            <bdi>{read.name}</bdi> holds exactly what is published; there is nothing to do.
          </p>
        </Empty>
      ) : (
        <>
          <div class="notice good">
            <Icon name="check" />
            <div>
              <bdi>{read.name}</bdi> has no faults: {toCount(items, 'item')} in{' '}
              {toCount(categories, 'category', 'categories')}. Nothing has been published yet.
            </div>
            <button type="button" class="button primary" disabled={isBusy.value} onClick={() => run(publish)}>
              {isBusy.value ? 'Publishing' : 'Publish'}
            </button>
          </div>
          {error.value !== undefined && <Trouble error={error.value} />}
          <Changes
            diff={result.diff}
            changes={toChanges(result.diff, before, after, store.currency)}
            beforeTitle={result.current_version === 0 ? 'Now' : `Now (version ${result.current_version})`}
            afterTitle="In the file"
          />
        </>
      )}
    </section>
  );
}

/** The menu as it is, as a file to start from. */
function CurrentMenu({ store }: { readonly store: ManagedStore }) {
  const { isBusy, error, run } = useTask();
  const save = async () => {
    const { current_version: version } = await client.listMenuVersions(store.id, { limit: 1 });
    const menu = version === 0 ? { items: [] } : await client.getMenuVersion(store.id, version);
    const address = URL.createObjectURL(
      new Blob([`${JSON.stringify(menu, null, 2)}\n`], { type: 'application/json' }),
    );
    const link = Object.assign(document.createElement('a'), { href: address, download: 'menu.json' });
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  };
  return (
    <>
      <button type="button" class="button" disabled={isBusy.value} onClick={() => run(save)}>
        Download the current menu
      </button>
      {error.value !== undefined && <Trouble error={error.value} />}
    </>
  );
}

import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { ValidationError, type ManagedStore } from '#sdk';
import { isCsv } from '../../../../../src/support/text-file.js';
import { t } from '../../../text/t.js';
import { Busy, Trouble } from '../../../ui/loading.js';
import { Empty } from '../../../ui/table.js';
import { useTitle } from '../../../ui/use-title.js';
import { may } from '../../../data/session.js';
import { nameOf } from '../../../data/stores.js';
import { compareMenu, readPublished, type Comparison } from './compare-menu.js';
import { Compared } from './comparison.js';
import { CurrentMenu } from './download-menu.js';
import { DropZone } from './drop-zone.js';
import { InvalidFile } from './invalid-file.js';
import type { LocatedError } from './check-file.js';
import { openMenuFile, type MenuFile } from './menu-file.js';
import './publish.css';
import { Tick } from '../../../ui/field.js';

type Stage =
  | { readonly is: 'waiting' }
  | { readonly is: 'working'; readonly what: string }
  | {
      readonly is: 'invalid';
      readonly name: string;
      readonly errors: readonly LocatedError[];
      readonly requestId?: string | undefined;
    }
  | { readonly is: 'compared'; readonly comparison: Comparison }
  | { readonly is: 'failed'; readonly error: unknown };

/** From a file to a published menu: check it, see what it changes, and only then publish. */
export function PublishPage({ store }: { readonly store: ManagedStore }) {
  const stage = useSignal<Stage>({ is: 'waiting' });
  const taken = useRef<MenuFile>(undefined);
  const sheet = useSignal<File | undefined>(undefined);
  const isWhole = useSignal(false);
  useTitle(t('publish_a_menu'), nameOf(store));
  useEffect(() => () => taken.current?.close(), []);

  const take = (dropped: File) => {
    taken.current?.close();
    const file = openMenuFile(dropped);
    taken.current = file;
    sheet.value = isCsv(dropped.name, '') ? dropped : undefined;
    // What is said of a file that another has taken the place of is of no interest.
    const show = (next: Stage) => {
      if (taken.current === file) stage.value = next;
    };
    judge(store, file, isWhole.value, show).catch((error: unknown) => show({ is: 'failed', error }));
  };

  if (!may('menu:write'))
    return (
      <Empty icon="upload" title={t('this_key_may_not_publish')} isPage>
        <p>{t('publishing_needs_a_key_with_the')}</p>
      </Empty>
    );
  const current = stage.value;
  return (
    <>
      <header>
        <h1>{t('publish_a_menu')}</h1>
        <CurrentMenu store={store} />
      </header>
      <DropZone
        isSmall={current.is !== 'waiting'}
        onFile={take}
        onRefused={(why) => (stage.value = { is: 'failed', error: new Error(why) })}
      />
      {sheet.value !== undefined && (
        <Tick
          checked={isWhole.value}
          onChange={({ currentTarget }) => {
            isWhole.value = currentTarget.checked;
            if (sheet.value !== undefined) take(sheet.value);
          }}
          label={t('the_spreadsheet_is_the_whole_menu')}
        />
      )}
      {current.is === 'working' && <Busy>{current.what}</Busy>}
      {current.is === 'failed' && <Trouble error={current.error} />}
      {current.is === 'invalid' && <InvalidFile {...current} />}
      {current.is === 'compared' && <Compared store={store} {...current.comparison} />}
    </>
  );
}

/** Nothing is sent of a file that has errors. */
async function judge(
  store: ManagedStore,
  file: MenuFile,
  isWhole: boolean,
  show: (stage: Stage) => void,
): Promise<void> {
  const { name } = file;
  show({ is: 'working', what: t('checking_name', { name }) });
  const published = isCsv(name, '') ? await readPublished(store.id, isWhole) : undefined;
  const judgement = await file.judge({
    currency: store.currency,
    current: published?.menu ?? { items: [] },
    isWhole,
    language: navigator.language.split('-', 1)[0] ?? 'en',
  });
  if (judgement.is === 'invalid') {
    show({ is: 'invalid', name, errors: judgement.errors });
    return;
  }
  show({ is: 'working', what: t('comparing_name_with_the_current_menu', { name }) });
  try {
    show({ is: 'compared', comparison: await compareMenu(store.id, file, judgement, published) });
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    // What only the service knows: how many items it takes, and how large a menu may become.
    show({ is: 'invalid', name, errors: await file.relocate(error.errors), requestId: error.requestId });
  }
}

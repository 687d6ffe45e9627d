import type { ManagedStore } from '#sdk';
import { client } from '../../../data/session.js';
import { t } from '../../../text/t.js';
import { menuFileName } from './file-currency.js';
import { Button } from '../../../ui/button.js';
import { saveFile } from '../../../ui/save-file.js';
import { Trouble, useTask } from '../../../ui/loading.js';
import type { MenuConfiguration } from '../../../../../src/menus/shapes.js';
import { decimalSign } from '../../../text/format.js';
import { sayError } from '../../../ui/toasts.js';

/** The menu as it is, as a file to start from. */
export function CurrentMenu({ store }: { readonly store: ManagedStore }) {
  const { isBusy, error, run } = useTask();
  const save = async () => {
    const { current_version: version } = await client.listMenuVersions(store.id, { limit: 1 });
    const menu = version === 0 ? { items: [] } : await client.getMenuVersion(store.id, version);
    saveFile(menuFileName(store, 'json'), 'application/json', `${JSON.stringify(menu, null, 2)}\n`);
  };
  return (
    <>
      <Button disabled={isBusy.value} onClick={() => run(save)}>
        {isBusy.value ? t('fetching_the_menu') : t('download_the_current_menu')}
      </Button>
      <Trouble error={error.value} />
    </>
  );
}

/** The menu as a spreadsheet, to be changed and dropped on the page where menus are published. */
export function DownloadSheet({ store }: { readonly store: ManagedStore }) {
  const { isBusy, run } = useTask();
  const save = async () => {
    try {
      const { writeSheet } = await import('../../../../../src/menu-files/sheet/write-sheet.js');
      const { current_version: version } = await client.listMenuVersions(store.id, { limit: 1 });
      const menu = (await client.getMenuVersion(store.id, version)) as MenuConfiguration;
      const { currency } = store;
      const sheet = writeSheet(menu, { currency, decimalSign: decimalSign(), withTax: true });
      saveFile(menuFileName(store, 'csv'), 'text/csv', sheet);
    } catch (error) {
      sayError(error);
    }
  };
  return (
    <Button disabled={isBusy.value} onClick={() => run(save)}>
      {t('download_as_a_spreadsheet')}
    </Button>
  );
}

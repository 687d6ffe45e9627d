import type { ManagedStore } from '#sdk';
import type { MenuConfiguration } from '../../../../../src/menus/shapes.js';
import { client } from '../../../data/client.js';
import { decimalSign } from '../../../text/format.js';
import { t } from '../../../text/t.js';
import { menuFileName } from '../publish/file-currency.js';
import { Button } from '../../../ui/button.js';
import { saveFile } from '../../../ui/save-file.js';
import { sayError } from '../../../ui/toasts.js';
import { useTask } from '../../../ui/loading.js';

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

import type { ManagedStore } from '#sdk';
import { client } from '../../../data/client.js';
import { t } from '../../../text/t.js';
import { menuFileName } from './file-currency.js';
import { Button } from '../../../ui/button.js';
import { saveFile } from '../../../ui/save-file.js';
import { Trouble, useTask } from '../../../ui/loading.js';

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

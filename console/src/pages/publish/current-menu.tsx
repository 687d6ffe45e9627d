import type { ManagedStore } from '#sdk';
import { client } from '../../client.js';
import { Trouble } from '../../parts/trouble.js';
import { useTask } from '../../parts/use-task.js';

/** The menu as it is, as a file to start from. */
export function CurrentMenu({ store }: { readonly store: ManagedStore }) {
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
        {isBusy.value ? 'Fetching the menu' : 'Download the current menu'}
      </button>
      {error.value !== undefined && <Trouble error={error.value} />}
    </>
  );
}

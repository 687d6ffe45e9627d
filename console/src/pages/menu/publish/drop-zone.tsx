import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../../../text/t.js';
import { Button } from '../../../ui/button.js';
import { Icon } from '../../../ui/icon.js';

interface DropZoneProps {
  readonly isSmall: boolean;
  readonly onFile: (file: File) => void;
  /** What was dropped is not one file. */
  readonly onRefused: (why: string) => void;
}

/** Takes a file that is chosen, or dropped anywhere on the page: beside the field the browser would open it instead. */
export function DropZone({ isSmall, onFile, onRefused }: DropZoneProps) {
  const isOver = useSignal(false);
  const input = useRef<HTMLInputElement>(null);
  // Before anything is seen: a file let go too early would be opened by the browser.
  useLayoutEffect(() => {
    const listening = new AbortController();
    const listen = (type: 'dragover' | 'dragleave' | 'drop', listener: (event: DragEvent) => void) =>
      addEventListener(type, listener, { signal: listening.signal });
    listen('dragover', (event) => {
      event.preventDefault();
      isOver.value = true;
    });
    listen('dragleave', (event) => {
      if (event.relatedTarget === null) isOver.value = false;
    });
    listen('drop', (event) => {
      event.preventDefault();
      isOver.value = false;
      const dropped = findFile(event.dataTransfer);
      if (typeof dropped === 'string') onRefused(dropped);
      else onFile(dropped);
    });
    return () => listening.abort();
  }, []);
  return (
    <div class={isSmall ? 'drop small-drop' : 'drop'} data-over={isOver.value}>
      <Icon name="upload" />
      <p>
        <strong>{isSmall ? t('drop_another_file_here') : t('drop_a_menu_file_here')}</strong>
        {!isSmall && <span class="soft"> {t('json_yaml_a_spreadsheet_csv_or')}</span>}
      </p>
      <Button onClick={() => input.current?.click()}>{t('choose_a_file')}</Button>
      <input
        ref={input}
        class="hidden-label"
        type="file"
        accept=".json,.yaml,.yml,.csv,.tsv,application/json,text/csv"
        aria-label={t('menu_file')}
        tabIndex={-1}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          if (file !== undefined) onFile(file);
          currentTarget.value = '';
        }}
      />
    </div>
  );
}

/** The one file that was dropped, or why there is none. */
function findFile(dropped: DataTransfer | null): File | string {
  const [file, ...others] = dropped?.files ?? [];
  if (file === undefined) return t('what_was_dropped_is_not_a_file');
  if (others.length > 0) return t('count_files_were_dropped_drop_the', { count: others.length + 1 });
  const isFolder = [...(dropped?.items ?? [])].some((item) => item.webkitGetAsEntry()?.isDirectory === true);
  return isFolder ? t('name_is_a_folder_drop_the', { name: file.name }) : file;
}

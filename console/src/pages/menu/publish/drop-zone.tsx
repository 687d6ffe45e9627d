import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { t } from '../../../text/t.js';
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
  useEffect(() => {
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
        <strong>{isSmall ? t('Drop another file here') : t('Drop a menu file here')}</strong>
        {!isSmall && (
          <span class="soft">
            {' '}
            {t(
              'JSON, YAML, a spreadsheet (CSV), or a menu from Uber Eats, Square or HubRise. It is checked before anything changes.',
            )}
          </span>
        )}
      </p>
      <button type="button" class="button" onClick={() => input.current?.click()}>
        {t('Choose a file')}
      </button>
      <input
        ref={input}
        class="hidden-label"
        type="file"
        accept=".json,.yaml,.yml,.csv,.tsv,application/json,text/csv"
        aria-label={t('Menu file')}
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
  if (file === undefined) return t('What was dropped is not a file.');
  if (others.length > 0)
    return t('{count} files were dropped. Drop the one that holds the menu.', { count: others.length + 1 });
  const isFolder = [...(dropped?.items ?? [])].some((item) => item.webkitGetAsEntry()?.isDirectory === true);
  return isFolder ? t('{name} is a folder. Drop the file that holds the menu.', { name: file.name }) : file;
}

import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { Icon } from '../../parts/icon.js';

interface DropZoneProps {
  readonly isSmall: boolean;
  readonly onFile: (file: File) => void;
}

/** Takes a file that is dropped or chosen. */
export function DropZone({ isSmall, onFile }: DropZoneProps) {
  const isOver = useSignal(false);
  const input = useRef<HTMLInputElement>(null);
  const take = (files: FileList | null | undefined) => {
    const [file] = files ?? [];
    if (file !== undefined) onFile(file);
  };
  return (
    <div
      class={isSmall ? 'drop small-drop' : 'drop'}
      data-over={isOver.value}
      onDragOver={(event) => {
        event.preventDefault();
        isOver.value = true;
      }}
      onDragLeave={() => (isOver.value = false)}
      onDrop={(event) => {
        event.preventDefault();
        isOver.value = false;
        take(event.dataTransfer?.files);
      }}
    >
      <Icon name="upload" />
      <p>
        <strong>{isSmall ? 'Drop another file here' : 'Drop a menu file here'}</strong>
        {!isSmall && (
          <span class="soft">
            {' '}
            JSON or YAML, in the form of the API. It is checked before anything changes.
          </span>
        )}
      </p>
      <button type="button" class="button" onClick={() => input.current?.click()}>
        Choose a file
      </button>
      <input
        ref={input}
        class="hidden-label"
        type="file"
        accept=".json,.yaml,.yml,application/json"
        aria-label="Menu file"
        tabIndex={-1}
        onChange={(event) => {
          take(event.currentTarget.files);
          event.currentTarget.value = '';
        }}
      />
    </div>
  );
}

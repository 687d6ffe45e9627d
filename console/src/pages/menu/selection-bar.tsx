import { toCount } from '../../parts/format.js';

interface SelectionBarProps {
  readonly count: number;
  readonly progress: string | undefined;
  readonly onMark: (isInStock: boolean) => void;
}

/** What to do with the chosen items, within reach of a thumb. */
export function SelectionBar({ count, progress, onMark }: SelectionBarProps) {
  const isIdle = progress === undefined && count > 0;
  return (
    <div class="selection-bar" role="region" aria-label="Chosen items">
      <span role="status">
        {progress !== undefined
          ? `Marked ${progress}`
          : count === 0
            ? 'Tap the items to choose'
            : `${toCount(count, 'item')} chosen`}
      </span>
      <span class="row">
        <button type="button" class="button" disabled={!isIdle} onClick={() => onMark(true)}>
          Back in
        </button>
        <button type="button" class="button danger primary" disabled={!isIdle} onClick={() => onMark(false)}>
          Sold out
        </button>
      </span>
    </div>
  );
}

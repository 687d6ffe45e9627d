import { Icon } from '../../parts/icon.js';
import { isSoundBlocked, isSoundOn, switchSound } from './chime.js';

interface BoardToolsProps {
  readonly isKitchen: boolean;
  readonly onKitchen: (isOn: boolean) => void;
}

/** What is set for this device: the sound and the size. */
export function BoardTools({ isKitchen, onKitchen }: BoardToolsProps) {
  const isOn = isSoundOn.value;
  const isWaiting = isOn && isSoundBlocked.value;
  return (
    <div class="board-tools">
      <button
        type="button"
        class="button"
        aria-pressed={isOn}
        onClick={() => void switchSound(isWaiting ? true : !isOn)}
      >
        <Icon name={isOn ? 'sound' : 'mute'} />
        {isWaiting ? 'Tap for sound' : isOn ? 'Sound on' : 'Sound off'}
      </button>
      <button
        type="button"
        class="button"
        aria-label={isKitchen ? 'Leave kitchen mode' : 'Kitchen mode'}
        onClick={() => onKitchen(!isKitchen)}
      >
        <Icon name={isKitchen ? 'shrink' : 'expand'} />
        {isKitchen ? 'Leave' : 'Kitchen mode'}
      </button>
    </div>
  );
}

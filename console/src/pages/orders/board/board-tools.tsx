import { t } from '../../../text/t.js';
import { Icon } from '../../../ui/icon.js';
import { isSoundBlocked, isSoundOn, switchSound } from '../../../data/live/chime.js';

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
        {isWaiting ? t('tap_for_sound') : isOn ? t('sound_on') : t('sound_off')}
      </button>
      <button
        type="button"
        class="button"
        aria-label={isKitchen ? t('leave_kitchen_mode') : t('kitchen_mode')}
        onClick={() => onKitchen(!isKitchen)}
      >
        <Icon name={isKitchen ? 'shrink' : 'expand'} />
        {isKitchen ? t('leave') : t('kitchen_mode')}
      </button>
    </div>
  );
}

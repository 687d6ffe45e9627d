import { t } from '../../../text/t.js';
import { Button } from '../../../ui/button.js';
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
      <Button
        icon={isOn ? 'sound' : 'mute'}
        aria-pressed={isOn}
        onClick={() => void switchSound(isWaiting ? true : !isOn)}
      >
        {isWaiting ? t('tap_for_sound') : isOn ? t('sound_on') : t('sound_off')}
      </Button>
      <Button
        icon={isKitchen ? 'shrink' : 'expand'}
        aria-label={isKitchen ? t('leave_kitchen_mode') : t('kitchen_mode')}
        onClick={() => onKitchen(!isKitchen)}
      >
        {isKitchen ? t('leave') : t('kitchen_mode')}
      </Button>
    </div>
  );
}

import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { t } from '../../../text/t.js';
import { Button } from '../../../ui/button.js';
import { Dialog } from '../../../ui/dialogs.js';
import { Trouble, useTask } from '../../../ui/loading.js';
import { cropOf, drawInto, makeSizes, RATIO, WHOLE, type PhotoSizes } from './prepare-photo.js';

interface CropDialogProps {
  readonly title: string;
  readonly picture: ImageBitmap;
  readonly onSave: (sizes: PhotoSizes) => Promise<void>;
  readonly onClose: () => void;
}

const SHOWN_WIDTH = 800;
const MOST_ZOOM = 4;
const STEP = 0.02;
const STEPS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
};

/** Chooses the part of a picture that guests see, by dragging it or with the arrow keys. */
export function CropDialog({ title, picture, onSave, onClose }: CropDialogProps) {
  const framing = useSignal(WHOLE);
  const canvas = useRef<HTMLCanvasElement>(null);
  const { isBusy, error, run } = useTask();
  const crop = cropOf(picture, framing.value);
  useEffect(() => {
    if (canvas.current !== null) drawInto(canvas.current, picture, crop);
  }, [picture, framing.value]);
  /** By parts of the picture. What lies beyond its edge is not kept, or the way back would begin with nothing. */
  const move = (x: number, y: number) => {
    const { zoom } = framing.value;
    const next = cropOf(picture, { x: framing.value.x + x, y: framing.value.y + y, zoom });
    framing.value = {
      x: (next.x + next.width / 2) / picture.width,
      y: (next.y + next.height / 2) / picture.height,
      zoom,
    };
  };
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <Button
          look="primary"
          disabled={isBusy.value}
          onClick={() => run(async () => onSave(await makeSizes(picture, crop)))}
        >
          {isBusy.value ? t('saving') : t('save_the_photo')}
        </Button>
      }
    >
      <div class="stack">
        <Trouble error={error.value} />
        <p class="soft small">{t('drag_to_choose_what_is_seen')}</p>
        <canvas
          ref={canvas}
          class="crop"
          width={SHOWN_WIDTH}
          height={SHOWN_WIDTH / RATIO}
          role="img"
          aria-label={t('drag_to_choose_what_is_seen')}
          tabIndex={0}
          onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
          onPointerMove={(event) => {
            const { currentTarget: shown } = event;
            if (!shown.hasPointerCapture(event.pointerId)) return;
            const scale = crop.width / shown.clientWidth;
            move((-event.movementX * scale) / picture.width, (-event.movementY * scale) / picture.height);
          }}
          onKeyDown={(event) => {
            const step = STEPS[event.key];
            if (step === undefined) return;
            event.preventDefault();
            move(...step);
          }}
        />
        <label class="field">
          {t('zoom')}
          <input
            type="range"
            min={1}
            max={MOST_ZOOM}
            step="any"
            value={framing.value.zoom}
            onInput={({ currentTarget }) => {
              framing.value = { ...framing.value, zoom: Number(currentTarget.value) };
            }}
          />
        </label>
        {isBusy.value && <progress aria-label={t('saving')} />}
      </div>
    </Dialog>
  );
}

import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { createPhotoMatch } from '../../../../../src/menu-files/match-photos.js';
import type { MenuItemFlat } from '#sdk';
import { t } from '../../../text/t.js';
import { toText } from '../../../text/format.js';
import { Button } from '../../../ui/button.js';
import { Dialog } from '../../../ui/dialogs.js';
import { sentencesOf } from '../../../text/error-words.js';
import { cropOf, drawInto, makeSizes, RATIO, readPicture, WHOLE } from './prepare-photo.js';
import { applyPhoto, offerUndo, type Photos } from './save-photo.js';

interface MatchDialogProps {
  readonly storeId: string;
  readonly files: readonly File[];
  readonly items: ReadonlyMap<string, MenuItemFlat>;
  readonly photos: Photos;
  readonly language: string;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

const SHOWN_WIDTH = 96;

/** Several pictures at once: shows which item each is for before anything is saved. */
export function MatchDialog({ storeId, files, items, photos, language, onDone, onClose }: MatchDialogProps) {
  const find = createPhotoMatch(items.values());
  const targets = useSignal(files.map(({ name }) => find(name) ?? ''));
  const done = useSignal<number | undefined>(undefined);
  const failures = useSignal<readonly string[]>([]);
  const undos = useRef<(() => Promise<void>)[]>([]);
  const count = targets.value.filter((id) => id !== '').length;
  const save = async () => {
    done.value = 0;
    for (const [i, file] of files.entries()) {
      const id = targets.value[i] ?? '';
      if (id === '') continue;
      try {
        const picture = await readPicture(file);
        const sizes = await makeSizes(picture, cropOf(picture, WHOLE));
        undos.current.push(await applyPhoto({ storeId, externalId: id, present: photos.get(id), sizes }));
        picture.close();
      } catch (error) {
        failures.value = [...failures.value, `${file.name}: ${sentencesOf(error).join(' ')}`];
      }
      done.value += 1;
    }
    onDone();
    if (failures.value.length === 0) close();
  };
  // Nothing outside the window can be pressed while it is open.
  const close = () => {
    const count = undos.current.length;
    if (count > 0) offerUndo(t('count_photos_are_saved', { count }), undos.current, onDone);
    onClose();
  };
  const isOver = done.value === count && done.value > 0;
  return (
    <Dialog
      title={t('photos_for_the_menu')}
      isWide
      onClose={close}
      actions={
        <Button look="primary" disabled={count === 0 || done.value !== undefined} onClick={() => void save()}>
          {t('save_count_photos', { count })}
        </Button>
      }
    >
      <div class="stack">
        {failures.value.length > 0 && (
          <ul role="alert">
            {failures.value.map((failure) => (
              <li key={failure}>{failure}</li>
            ))}
          </ul>
        )}
        {done.value !== undefined && !isOver && (
          <progress value={done.value} max={count} aria-label={t('saving')} />
        )}
        <ul class="rows">
          {files.map((file, i) => (
            <li key={`${file.name} ${i}`} class="photo-match">
              <Preview file={file} />
              <span class="mono small">
                <bdi>{file.name}</bdi>
              </span>
              <select
                class="input"
                aria-label={t('item_for_name', { name: file.name })}
                value={targets.value[i]}
                onChange={({ currentTarget }) => {
                  targets.value = targets.value.with(i, currentTarget.value);
                }}
              >
                <option value="">{t('no_item_leave_it_out')}</option>
                {[...items.values()].map((item) => (
                  <option key={item.external_id} value={item.external_id}>
                    {toText(item.name, language) || item.external_id}
                  </option>
                ))}
              </select>
              {photos.has(targets.value[i] ?? '') && <span class="badge">{t('replaces_a_photo')}</span>}
            </li>
          ))}
        </ul>
      </div>
    </Dialog>
  );
}

function Preview({ file }: { readonly file: File }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    readPicture(file).then(
      (picture) => {
        if (canvas.current !== null) drawInto(canvas.current, picture, cropOf(picture, WHOLE));
        picture.close();
      },
      () => undefined,
    );
  }, [file]);
  return (
    <canvas
      ref={canvas}
      class="thumbnail"
      width={SHOWN_WIDTH}
      height={SHOWN_WIDTH / RATIO}
      aria-hidden="true"
    />
  );
}

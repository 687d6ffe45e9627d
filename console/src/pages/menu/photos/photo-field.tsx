import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { t } from '../../../text/t.js';
import { Button } from '../../../ui/button.js';
import { sayError } from '../../../ui/toasts.js';
import { CropDialog } from './crop-dialog.js';
import { readPicture } from './prepare-photo.js';
import { changePhoto, picturesIn, type Photos } from './save-photo.js';
import './photos.css';

interface PhotoProps {
  readonly storeId: string;
  readonly externalId: string;
  readonly name: string;
  readonly photos: Photos;
  readonly onDone: () => void;
}

/** The photo of an item, and the ways to another: a file, the camera, what is dropped or pasted while this is open. */
export function PhotoField(props: PhotoProps) {
  const { externalId, name, photos } = props;
  const taken = useSignal<File | undefined>(undefined);
  const present = photos.get(externalId);
  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    const take = (event: Event, data: DataTransfer | null) => {
      const [file] = picturesIn(data);
      if (file === undefined) return;
      event.preventDefault();
      taken.value = file;
    };
    addEventListener('dragover', (event) => event.preventDefault(), { signal });
    addEventListener('drop', (event) => take(event, event.dataTransfer), { signal });
    addEventListener('paste', (event) => take(event, event.clipboardData), { signal });
    return () => listening.abort();
  }, [externalId]);
  return (
    <div class="photo-field">
      {present !== undefined && (
        <img
          class="thumbnail"
          src={(present.small ?? present).url}
          width={present.width}
          height={present.height}
          alt={t('photo_of_name', { name })}
        />
      )}
      <div class="row">
        <PickButton label={t('choose_a_photo')} onFiles={([file]) => (taken.value = file)} />
        <PickButton label={t('take_a_photo')} isCamera onFiles={([file]) => (taken.value = file)} />
        {present !== undefined && (
          <Button onClick={() => void changePhoto({ ...props, present, sizes: undefined }).catch(sayError)}>
            {t('remove_the_photo')}
          </Button>
        )}
      </div>
      <p class="soft small">{t('or_drop_or_paste_one')}</p>
      {taken.value !== undefined && (
        <CropPhoto {...props} file={taken.value} onClose={() => (taken.value = undefined)} />
      )}
    </div>
  );
}

interface CropPhotoProps extends PhotoProps {
  readonly file: File;
  readonly onClose: () => void;
}

/** Cuts a picture to shape and makes it the photo of the item. */
export function CropPhoto({ file, onClose, ...props }: CropPhotoProps) {
  const picture = useSignal<ImageBitmap | undefined>(undefined);
  const { externalId, name, photos } = props;
  useEffect(() => {
    let isOpen = true;
    readPicture(file).then(
      (read) => {
        if (isOpen) picture.value = read;
        else read.close();
      },
      (error: unknown) => {
        sayError(error);
        onClose();
      },
    );
    return () => {
      isOpen = false;
      picture.value?.close();
    };
  }, [file]);
  if (picture.value === undefined) return null;
  return (
    <CropDialog
      title={t('photo_of_name', { name })}
      picture={picture.value}
      onSave={async (sizes) => {
        await changePhoto({ ...props, present: photos.get(externalId), sizes });
        onClose();
      }}
      onClose={onClose}
    />
  );
}

interface PickButtonProps {
  readonly label: string;
  readonly isCamera?: boolean;
  readonly isMany?: boolean;
  readonly isDisabled?: boolean;
  readonly onFiles: (files: readonly File[]) => void;
}

export function PickButton({
  label,
  isCamera = false,
  isMany = false,
  isDisabled = false,
  onFiles,
}: PickButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button
        look={isCamera ? 'camera' : undefined}
        icon={isCamera ? 'camera' : 'upload'}
        disabled={isDisabled}
        onClick={() => input.current?.click()}
      >
        {label}
      </Button>
      <input
        ref={input}
        class="hidden-label"
        type="file"
        accept="image/*"
        multiple={isMany}
        {...(isCamera ? { capture: 'environment' } : {})}
        aria-label={label}
        tabIndex={-1}
        // A window around it would take the end of the choice for its own.
        onCancel={(event) => event.stopPropagation()}
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])];
          currentTarget.value = '';
          if (files.length > 0) onFiles(files);
        }}
      />
    </>
  );
}

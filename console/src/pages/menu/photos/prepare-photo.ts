import { t } from '../../../text/t.js';

/** Both sizes of a photo as they are sent. They are drawn anew, so nothing that a camera wrote beside the pixels goes along. */
export interface PhotoSizes {
  readonly large: Blob;
  readonly small: Blob;
}

/** A part of a picture, in its pixels. */
export interface Crop {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** What is seen of a picture: the middle of it, from 0 to 1, and how much closer than the whole. */
export interface Framing {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
}

export const WHOLE: Framing = { x: 0.5, y: 0.5, zoom: 1 };
export const RATIO = 4 / 3;
const LARGE_WIDTH = 1200;
const SMALL_WIDTH = 400;
const QUALITY = 0.8;

/** Upright, whichever way the camera was held. */
export async function readPicture(file: Blob & { readonly name?: string }): Promise<ImageBitmap> {
  try {
    return await createImageBitmap(file, { imageOrientation: 'from-image' });
  } catch {
    throw new Error(t('name_is_no_picture', { name: file.name ?? '' }));
  }
}

/** The part of 4:3 that is seen; it never reaches beyond the picture. */
export function cropOf(
  { width, height }: { readonly width: number; readonly height: number },
  framing: Framing,
) {
  const widest = Math.min(width, height * RATIO) / framing.zoom;
  const crop = { width: widest, height: widest / RATIO };
  return {
    ...crop,
    x: clamp(framing.x * width - crop.width / 2, width - crop.width),
    y: clamp(framing.y * height - crop.height / 2, height - crop.height),
  } satisfies Crop;
}

function clamp(value: number, most: number): number {
  return Math.min(Math.max(value, 0), most);
}

export async function makeSizes(picture: ImageBitmap, crop: Crop): Promise<PhotoSizes> {
  return { large: await draw(picture, crop, LARGE_WIDTH), small: await draw(picture, crop, SMALL_WIDTH) };
}

/** WebP, or JPEG where the browser cannot write it. A picture that is smaller is not made larger. */
async function draw(picture: ImageBitmap, crop: Crop, widest: number): Promise<Blob> {
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(Math.min(widest, crop.width)));
  canvas.height = Math.max(1, Math.round(canvas.width / RATIO));
  drawInto(canvas, picture, crop);
  const webp = await encode(canvas, 'image/webp');
  // Asked for a type that it cannot write, a browser writes a PNG.
  return webp.type === 'image/webp' ? webp : encode(canvas, 'image/jpeg');
}

export function drawInto(
  canvas: HTMLCanvasElement,
  picture: ImageBitmap,
  { x, y, width, height }: Crop,
): void {
  const context = canvas.getContext('2d');
  if (context === null) return;
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, x, y, width, height, 0, 0, canvas.width, canvas.height);
}

function encode(canvas: HTMLCanvasElement, type: string): Promise<Blob> {
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob === null ? reject(new Error(type)) : resolve(blob)), type, QUALITY);
  });
}

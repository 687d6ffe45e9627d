import jsQR from 'jsqr';
import type { Locator } from 'playwright-core';

/** What a camera reads from the QR code on the screen. */
export async function readCode(code: Locator): Promise<string | undefined> {
  const picture = await code.screenshot();
  const blank = await code.page().context().newPage();
  const { width, height, bytes } = await blank.evaluate<{ width: number; height: number; bytes: string }>(`
    (async () => {
      const file = await fetch('data:image/png;base64,${picture.toString('base64')}');
      const bitmap = await createImageBitmap(await file.blob());
      const { width, height } = bitmap;
      const canvas = new OffscreenCanvas(width, height).getContext('2d');
      canvas.drawImage(bitmap, 0, 0);
      // As text: a million numbers, one by one, take many seconds on their way out of the page.
      const bytes = canvas.getImageData(0, 0, width, height).data;
      return { width, height, bytes: btoa(bytes.reduce((text, byte) => text + String.fromCharCode(byte), '')) };
    })()
  `);
  await blank.close();
  return jsQR.default(Uint8ClampedArray.from(Buffer.from(bytes, 'base64')), width, height)?.data;
}

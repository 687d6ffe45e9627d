import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { ask } from '../../harness/client.js';
import { manageClient, type PlaceBody } from '../../harness/guest.js';
import { item, menuClient, text } from '../../harness/menu.js';
import { useService } from '../../harness/service.js';
import { createTenant, type Tenant } from '../../harness/tenant.js';
import { useBrowser } from '../browser.js';
import { findBarriers, findOverflow } from './accessibility.js';
import { openGuest } from '../guest/open-guest.js';
import { openConsole, type ConsoleOptions } from './open-console.js';

const [service, browser] = await Promise.all([useService(), useBrowser()]);

interface Shown {
  readonly external_id: string;
  readonly url: string;
  readonly width: number;
  readonly height: number;
  readonly small?: { readonly url: string; readonly width: number; readonly height: number };
}

const photosOf = async ({ storeId, key }: Tenant) =>
  (await ask<{ photos: Shown[] }>(`${service.url}/manage/v1/stores/${storeId}/menu/photos`, { key })).body
    .photos;
const sizesOf = async (tenant: Tenant) =>
  (await photosOf(tenant)).map(({ external_id: id, width, height, small }) => [
    id,
    width,
    height,
    small?.width,
    small?.height,
  ]);

async function openMenu(
  names: Readonly<Record<string, string>>,
  { permissions, ...options }: ConsoleOptions & { readonly permissions?: readonly string[] } = {},
) {
  const tenant = await createTenant(service, permissions);
  const items = Object.entries(names).map(([id, name]) => item(id, { name: text(name) }));
  await menuClient(service, tenant).post({
    items,
    menus: [{ external_id: 'm', availability: [], category_external_ids: ['c'] }],
    categories: [{ external_id: 'c', name: text('Food'), item_external_ids: Object.keys(names) }],
  });
  const { page } = await openConsole(browser, service.url, tenant.key, options);
  await page.goto(`${service.url}/console/stores/${tenant.storeId}/menu`);
  await page.getByRole('heading', { name: 'Food' }).waitFor();
  return { tenant, page };
}

/** A picture as a phone writes it: lying on its side, with a note about that and about where it was taken. */
async function phonePicture(page: Page, width: number, height: number): Promise<Buffer> {
  const drawn = await page.evaluate(`new Promise((resolve) => {
    const canvas = document.createElement('canvas');
    canvas.width = ${width};
    canvas.height = ${height};
    const context = canvas.getContext('2d');
    context.fillStyle = '#d22';
    context.fillRect(0, 0, ${width}, ${height});
    context.fillStyle = '#22d';
    context.fillRect(0, 0, ${width / 2}, ${height});
    resolve(canvas.toDataURL('image/jpeg', 0.9).split(',')[1]);
  })`);
  const jpeg = Buffer.from(String(drawn), 'base64');
  const note = Buffer.concat([
    Buffer.from('Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0', 'latin1'),
    Buffer.from('GPS 40.4168 -3.7038'),
  ]);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(note.length + 2);
  return Buffer.concat([jpeg.subarray(0, 2), Buffer.from([0xff, 0xe1]), length, note, jpeg.subarray(2)]);
}

const file = (name: string, buffer: Buffer) => ({ name, mimeType: 'image/jpeg', buffer });

/** The colours in the middle of the top and of the bottom, as a guest's browser shows the photo. */
const coloursOf = (page: Page, url: string) =>
  page.evaluate(`(async () => {
    const picture = await createImageBitmap(await (await fetch('${url}')).blob());
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [picture.width, picture.height];
    const context = canvas.getContext('2d', { willReadFrequently: true });
    context.drawImage(picture, 0, 0);
    const at = (y) => {
      const [red, , blue] = context.getImageData(picture.width / 2, y, 1, 1).data;
      return red > 150 && blue < 100 ? 'red' : blue > 150 && red < 100 ? 'blue' : 'other';
    };
    return [at(2), at(picture.height - 3)];
  })()`);

test('a photo is turned upright, cropped by dragging, scaled and stripped, and can be undone', async () => {
  const { tenant, page } = await openMenu({ burger: 'Burger', cake: 'Cake' });
  const picture = await phonePicture(page, 2400, 1600);
  await page.getByRole('button', { name: /^Burger/ }).click();
  await page.getByLabel('Choose a photo').last().setInputFiles(file('IMG_1.jpg', picture));
  const crop = page.getByRole('dialog', { name: 'Photo of Burger' });
  await crop.waitFor();
  expect(await findBarriers(page)).toEqual([]);
  expect(await findOverflow(page)).toBe(0);
  // Upright it is 1,600 wide and 2,400 high, blue above red; the whole way down only red is left.
  const box = await crop.locator('canvas').boundingBox();
  if (box === null) throw new Error('There is no picture');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height - 5);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, box.y + 5, { steps: 5 });
  await page.mouse.up();
  await crop.getByRole('button', { name: 'Save the photo' }).click();
  await crop.waitFor({ state: 'detached' });
  await expect.poll(() => sizesOf(tenant)).toEqual([['burger', 1200, 900, 400, 300]]);
  const [photo] = await photosOf(tenant);
  expect(await coloursOf(page, photo?.url ?? '')).toEqual(['red', 'red']);
  for (const url of [photo?.url, photo?.small?.url]) {
    const answer = await fetch(`${service.url}${url}`);
    expect(answer.headers.get('content-type')).toBe('image/webp');
    const bytes = Buffer.from(await answer.arrayBuffer()).toString('latin1');
    expect(bytes).not.toMatch(/Exif|GPS/);
  }
  await page.keyboard.press('Escape');
  const thumbnail = page.getByRole('button', { name: /^Burger/ }).locator('img');
  await thumbnail.waitFor();

  // Another one, and back.
  await page.getByRole('button', { name: /^Burger/ }).click();
  await page
    .getByLabel('Choose a photo')
    .last()
    .setInputFiles(file('two.jpg', await phonePicture(page, 300, 400)));
  await crop.getByRole('button', { name: 'Save the photo' }).click();
  await crop.waitFor({ state: 'detached' });
  await expect.poll(() => sizesOf(tenant)).toEqual([['burger', 400, 300, 400, 300]]);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await expect.poll(() => photosOf(tenant)).toEqual([photo]);
  await page.getByRole('button', { name: /^Burger/ }).click();
  await page.getByRole('button', { name: 'Remove the photo' }).click();
  await expect.poll(() => photosOf(tenant)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await expect.poll(() => photosOf(tenant)).toEqual([photo]);
});

test('on a phone the camera takes the photo', async () => {
  const { tenant, page } = await openMenu({ burger: 'Burger' }, { hasTouch: true, isMobile: true });
  const picture = await phonePicture(page, 300, 400);
  await page.getByRole('button', { name: /^Burger/ }).tap();
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.locator('button', { hasText: 'Take a photo' }).tap(),
  ]);
  // Phones open the camera at the back for it instead of a list of files.
  expect(await chooser.element().getAttribute('capture')).toBe('environment');
  expect(await chooser.element().getAttribute('accept')).toBe('image/*');
  expect(chooser.isMultiple()).toBe(false);
  await chooser.setFiles(file('camera.jpg', picture));
  await page.getByRole('button', { name: 'Save the photo' }).tap();
  await expect.poll(() => sizesOf(tenant)).toEqual([['burger', 400, 300, 400, 300]]);
});

/** A picture with as much in it as a camera sees: shapes of all colours, and noise over everything. */
const busyPicture = async (page: Page, seed: number) =>
  Buffer.from(
    String(
      await page.evaluate(`(() => {
        let state = ${seed};
        const random = () => (state = (state * 1103515245 + 12345) % 2147483648) / 2147483648;
        const canvas = document.createElement('canvas');
        [canvas.width, canvas.height] = [1200, 900];
        const context = canvas.getContext('2d');
        for (let i = 0; i < 400; i += 1) {
          context.fillStyle = 'hsl(' + random() * 360 + ' 60% ' + random() * 80 + '%)';
          context.beginPath();
          context.arc(random() * 1200, random() * 900, random() * 120, 0, 7);
          context.fill();
        }
        const pixels = context.getImageData(0, 0, 1200, 900);
        for (let i = 0; i < pixels.data.length; i += 1) pixels.data[i] += random() * 24 - 12;
        context.putImageData(pixels, 0, 0);
        return canvas.toDataURL('image/jpeg', 0.9).split(',')[1];
      })()`),
    ),
    'base64',
  );

test('what the console makes of pictures is a screen of at most 400 kB on the phone of a guest', async () => {
  const names = Array.from({ length: 9 }, (_, i) => `dish-${i}`);
  const { tenant, page } = await openMenu(Object.fromEntries(names.map((name) => [name, name])));
  const files = [];
  for (const [i, name] of names.entries()) files.push(file(`${name}.jpg`, await busyPicture(page, i + 1)));
  await page.getByLabel('Add photos').last().setInputFiles(files);
  await page.getByRole('button', { name: 'Save 9 photos' }).click();
  await expect.poll(async () => (await photosOf(tenant)).length).toBe(9);
  const manage = manageClient(service, { ...tenant, key: service.operatorKey });
  await manage('PATCH', '', { guest: { enabled: true } });
  const { body } = await manage<PlaceBody>('POST', '/places', { label: '1', kind: 'table' });
  const { page: phone } = await openGuest(browser, service.url, body.code, {
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 3,
  });
  await phone.getByRole('img', { name: 'dish-0', exact: true }).waitFor();
  const sizesOnScreen = () =>
    phone.evaluate<number[]>(`[...document.images]
      .filter((one) => one.getBoundingClientRect().top < innerHeight)
      .map(({ complete, src }) => (complete && performance.getEntriesByName(src)[0]?.encodedBodySize) || 0)`);
  await expect.poll(async () => Math.min(...(await sizesOnScreen()))).toBeGreaterThan(0);
  const sizes = await sizesOnScreen();
  expect(sizes.length).toBeGreaterThan(3);
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(400_000);
});

test('a browser that cannot write WebP sends JPEG', async () => {
  const { tenant, page } = await openMenu({ burger: 'Burger' });
  await page.evaluate(`{
    const write = HTMLCanvasElement.prototype.toBlob;
    HTMLCanvasElement.prototype.toBlob = function (done, type, quality) {
      write.call(this, done, type === 'image/webp' ? 'image/png' : type, quality);
    };
  }`);
  await page.getByRole('button', { name: /^Burger/ }).click();
  await page
    .getByLabel('Choose a photo')
    .last()
    .setInputFiles(file('a.jpg', await phonePicture(page, 300, 400)));
  await page.getByRole('button', { name: 'Save the photo' }).click();
  await expect.poll(() => sizesOf(tenant)).toEqual([['burger', 400, 300, 400, 300]]);
  const [photo] = await photosOf(tenant);
  const answer = await fetch(`${service.url}${photo?.url}`);
  expect(answer.headers.get('content-type')).toBe('image/jpeg');
});

/** Lets a file go on an element, or pastes it there. */
const give = (page: Page, selector: string, how: 'drop' | 'paste', bytes: Buffer, name = 'x.jpg') =>
  page.evaluate(`{
    const bytes = Uint8Array.from(atob('${bytes.toString('base64')}'), (one) => one.charCodeAt(0));
    const data = new DataTransfer();
    data.items.add(new File([bytes], '${name}', { type: 'image/jpeg' }));
    const target = document.querySelector('${selector}');
    const options = { bubbles: true, cancelable: true, dataTransfer: data, clipboardData: data };
    target.dispatchEvent('${how}' === 'drop' ? new DragEvent('drop', options) : new ClipboardEvent('paste', options));
  }`);

test('a picture is dropped or pasted on a row, in the window of an item, and in its form', async () => {
  const { tenant, page } = await openMenu({ burger: 'Burger', cake: 'Cake' });
  const picture = await phonePicture(page, 300, 400);
  const save = async (name: string) => {
    const crop = page.getByRole('dialog', { name: `Photo of ${name}` });
    await crop.getByRole('button', { name: 'Save the photo' }).click();
    await crop.waitFor({ state: 'detached' });
  };
  await give(page, '.item', 'drop', picture);
  await save('Burger');
  await expect.poll(() => sizesOf(tenant)).toEqual([['burger', 400, 300, 400, 300]]);
  await give(page, 'li:nth-child(2) > .item', 'paste', picture);
  await save('Cake');
  await expect.poll(async () => (await photosOf(tenant)).length).toBe(2);

  await page.getByRole('button', { name: /^Cake/ }).click();
  await page.getByRole('button', { name: 'Remove the photo' }).click();
  await expect.poll(async () => (await photosOf(tenant)).length).toBe(1);
  await give(page, 'dialog', 'paste', picture);
  await save('Cake');
  await expect.poll(async () => (await photosOf(tenant)).length).toBe(2);

  await page.getByRole('link', { name: 'Edit Cake' }).click();
  const form = page.getByRole('dialog', { name: 'Edit Cake' });
  await form.getByRole('button', { name: 'Remove the photo' }).click();
  await expect.poll(async () => (await photosOf(tenant)).length).toBe(1);
  await give(page, 'dialog', 'drop', picture);
  await save('Cake');
  await expect.poll(async () => (await photosOf(tenant)).length).toBe(2);
  await form.getByRole('img', { name: 'Photo of Cake' }).waitFor();
});

test('several pictures find their items by name, and show them before anything is saved', async () => {
  const { tenant, page } = await openMenu({
    burger: 'Hamburger',
    'creme-brulee': 'Crème brûlée',
    soup: 'Soup',
  });
  const folder = await mkdtemp(join(tmpdir(), 'comanda-photos-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const picture = await phonePicture(page, 300, 400);
  const names = ['burger.jpg', 'Creme Brulee.JPG', 'holiday.jpg', 'soup.jpg'];
  for (const name of names) await writeFile(join(folder, name), name === 'soup.jpg' ? 'no picture' : picture);
  await page
    .getByLabel('Add photos')
    .last()
    .setInputFiles(names.map((name) => join(folder, name)));
  const dialog = page.getByRole('dialog', { name: 'Photos for the menu' });
  const chosen = (name: string) => dialog.getByLabel(`Item for ${name}`).inputValue();
  expect(await Promise.all(names.map(chosen))).toEqual(['burger', 'creme-brulee', '', 'soup']);
  expect(await findBarriers(page)).toEqual([]);
  expect(await photosOf(tenant)).toEqual([]);
  await dialog.getByRole('button', { name: 'Save 3 photos' }).click();
  await dialog.getByText('soup.jpg: soup.jpg is not a picture that this browser can read.').waitFor();
  await expect
    .poll(async () => (await photosOf(tenant)).map((one) => one.external_id))
    .toEqual(['burger', 'creme-brulee']);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => photosOf(tenant)).toEqual([]);
});

test('what happened names a photo once, though it is set in two sizes', async () => {
  const { tenant, page } = await openMenu(
    { burger: 'Burger', cake: 'Cake' },
    { permissions: ['read', 'menu:write', 'keys:write'] },
  );
  const picture = await phonePicture(page, 2400, 1600);
  await page
    .getByLabel('Add photos')
    .last()
    .setInputFiles([file('burger.jpg', picture), file('cake.jpg', picture)]);
  await page.getByRole('button', { name: 'Save 2 photos' }).click();
  await expect
    .poll(async () => (await photosOf(tenant)).filter(({ small }) => small !== undefined))
    .toHaveLength(2);
  await page.goto(`${service.url}/console/stores/${tenant.storeId}/audit`);
  const rows = page.getByRole('row', { name: /Photo added/ });
  await rows.first().waitFor();
  expect(await rows.allInnerTexts()).toEqual(
    ['cake', 'burger'].map((id) => expect.stringMatching(new RegExp(`${id}[^]*1200 × 900`)) as string),
  );
});

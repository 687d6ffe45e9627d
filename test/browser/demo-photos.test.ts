import { readdir, stat, writeFile } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import { readDemo } from '../../src/demo/content.js';
import { openBrowser } from './browser.js';

/** What a dish is drawn of: what it lies in or on, what fills that, and the pieces on top: shape, colour, how many, how large. */
interface Dish {
  readonly on: 'plate' | 'bowl' | 'cup' | 'glass';
  readonly fill: string;
  readonly pieces: readonly (readonly ['dot' | 'leaf' | 'bar' | 'ring' | 'disc', string, number, number])[];
}

const MINT = '#5d9c43';
const GREEN = '#4d8a3a';
const RED = '#c8382b';
const GOLD = '#d99a3a';
const BREAD = '#cf9450';

const DISHES: Readonly<Record<string, Dish>> = {
  'tomato-toast': {
    on: 'plate',
    fill: '#f3ead9',
    pieces: [
      ['disc', BREAD, 2, 105],
      ['dot', RED, 26, 20],
      ['leaf', GREEN, 6, 16],
    ],
  },
  tortilla: {
    on: 'plate',
    fill: '#f3ead9',
    pieces: [
      ['disc', '#e4b548', 1, 150],
      ['dot', '#d49a32', 16, 14],
      ['leaf', GREEN, 4, 14],
    ],
  },
  shakshuka: {
    on: 'bowl',
    fill: '#b6341f',
    pieces: [
      ['disc', '#fbf6ea', 3, 48],
      ['disc', '#f0a92b', 3, 22],
      ['leaf', GREEN, 14, 13],
    ],
  },
  granola: {
    on: 'bowl',
    fill: '#f5f0e6',
    pieces: [
      ['dot', '#b5773a', 60, 10],
      ['dot', '#4a3c84', 14, 15],
      ['dot', RED, 8, 18],
    ],
  },
  croissant: { on: 'plate', fill: '#f3ead9', pieces: [['bar', '#c67f33', 7, 62]] },
  hummus: {
    on: 'bowl',
    fill: '#e6cf9d',
    pieces: [
      ['ring', '#d5b87c', 3, 70],
      ['dot', '#c8923f', 18, 11],
      ['leaf', GREEN, 8, 13],
    ],
  },
  bravas: {
    on: 'plate',
    fill: '#f3ead9',
    pieces: [
      ['dot', GOLD, 34, 34],
      ['dot', RED, 14, 20],
      ['dot', '#f3e6c8', 8, 16],
    ],
  },
  croquettes: {
    on: 'plate',
    fill: '#f3ead9',
    pieces: [
      ['bar', '#b9782c', 8, 44],
      ['leaf', GREEN, 5, 14],
    ],
  },
  gazpacho: {
    on: 'bowl',
    fill: '#d8492b',
    pieces: [
      ['dot', GREEN, 12, 11],
      ['dot', '#f3e0b0', 14, 10],
      ['leaf', MINT, 3, 18],
    ],
  },
  burger: {
    on: 'plate',
    fill: '#f3ead9',
    pieces: [
      ['disc', '#8a4a25', 1, 128],
      ['leaf', GREEN, 14, 42],
      ['disc', '#c98a41', 1, 112],
      ['dot', '#f7e6bd', 22, 6],
    ],
  },
  'vegetable-rice': {
    on: 'bowl',
    fill: '#e9c45b',
    pieces: [
      ['dot', '#f0d585', 80, 8],
      ['bar', RED, 9, 20],
      ['leaf', GREEN, 14, 18],
    ],
  },
  salmon: {
    on: 'plate',
    fill: '#f3ead9',
    pieces: [
      ['bar', '#e88a63', 3, 84],
      ['leaf', GREEN, 14, 22],
      ['ring', '#e7cf4f', 2, 28],
    ],
  },
  shawarma: {
    on: 'plate',
    fill: '#f3ead9',
    pieces: [
      ['bar', '#e0bd86', 2, 108],
      ['bar', '#8e562c', 16, 22],
      ['dot', RED, 8, 16],
      ['leaf', GREEN, 10, 18],
    ],
  },
  falafel: {
    on: 'plate',
    fill: '#f3ead9',
    pieces: [
      ['dot', '#7b5427', 11, 38],
      ['leaf', GREEN, 16, 20],
      ['dot', '#f4ead2', 6, 20],
    ],
  },
  margherita: {
    on: 'plate',
    fill: '#d6a35b',
    pieces: [
      ['disc', '#cf4a2c', 1, 168],
      ['disc', '#faf0d8', 7, 34],
      ['leaf', GREEN, 9, 26],
    ],
  },
  churros: {
    on: 'plate',
    fill: '#f3ead9',
    pieces: [
      ['bar', '#c58239', 10, 66],
      ['disc', '#3f2214', 1, 52],
    ],
  },
  'crema-catalana': {
    on: 'bowl',
    fill: '#c9832c',
    pieces: [
      ['ring', '#a5621c', 3, 58],
      ['dot', '#e8b45a', 24, 9],
      ['leaf', MINT, 3, 18],
    ],
  },
  baklava: {
    on: 'plate',
    fill: '#f3ead9',
    pieces: [
      ['bar', '#c98d3b', 6, 56],
      ['dot', '#86a845', 40, 7],
    ],
  },
  'grilled-cheese': {
    on: 'plate',
    fill: '#f3ead9',
    pieces: [
      ['bar', '#b8742b', 2, 104],
      ['bar', '#f0b838', 3, 70],
      ['dot', '#8f5419', 18, 9],
    ],
  },
  fries: {
    on: 'bowl',
    fill: '#e9d9b2',
    pieces: [
      ['bar', '#e2ae42', 30, 46],
      ['dot', '#fffaf0', 24, 4],
    ],
  },
  espresso: {
    on: 'cup',
    fill: '#4a2814',
    pieces: [
      ['ring', '#8c5a2b', 2, 62],
      ['dot', '#9d6a35', 16, 8],
    ],
  },
  'flat-white': {
    on: 'cup',
    fill: '#b98050',
    pieces: [
      ['leaf', '#f8efe2', 9, 30],
      ['ring', '#a16a3d', 1, 84],
    ],
  },
  cappuccino: {
    on: 'cup',
    fill: '#c08d5f',
    pieces: [
      ['disc', '#f6ebdb', 1, 62],
      ['dot', '#7b4a25', 30, 5],
    ],
  },
  'mint-tea': { on: 'glass', fill: '#c9a83c', pieces: [['leaf', MINT, 12, 26]] },
  lemonade: {
    on: 'glass',
    fill: '#f1dd72',
    pieces: [
      ['ring', '#d8bb2f', 3, 36],
      ['leaf', MINT, 5, 20],
    ],
  },
  water: { on: 'glass', fill: '#cfe6ee', pieces: [['dot', '#f4fbfd', 18, 13]] },
  lager: { on: 'glass', fill: '#e0a12c', pieces: [['dot', '#fdf6e3', 46, 17]] },
  rioja: { on: 'glass', fill: '#6e1428', pieces: [['ring', '#8d2540', 2, 54]] },
  combo: {
    on: 'plate',
    fill: '#f3ead9',
    pieces: [
      ['disc', '#c98a41', 1, 96],
      ['dot', '#f7e6bd', 14, 6],
      ['bar', '#e2ae42', 16, 34],
      ['leaf', GREEN, 8, 18],
    ],
  },
};

/** Runs in the page: paints a dish from above, in soft light from the left, and gives it as WebP in both sizes. */
const PAINT = `(name, { on, fill, pieces }) => {
  let seed = [...name].reduce((sum, one) => (sum * 31 + one.charCodeAt(0)) >>> 0, 7);
  const random = () => (seed = (seed * 1664525 + 1013904223) >>> 0) / 2 ** 32;
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [800, 600];
  const c = canvas.getContext('2d');
  const lit = (x, y, r, colour) => {
    const light = c.createRadialGradient(x - r / 2.5, y - r / 2.5, r / 10, x, y, r * 1.15);
    light.addColorStop(0, 'color-mix(in srgb, ' + colour + ' 72%, white)');
    light.addColorStop(0.6, colour);
    light.addColorStop(1, 'color-mix(in srgb, ' + colour + ' 72%, black)');
    return light;
  };
  const shade = (blur, down) => Object.assign(c, { shadowColor: 'rgba(40,20,0,.45)', shadowBlur: blur, shadowOffsetX: down, shadowOffsetY: down });
  const round = (x, y, r, paint) => { c.beginPath(); c.arc(x, y, r, 0, 7); c.fillStyle = paint; c.fill(); };
  const table = c.createLinearGradient(0, 0, 800, 600);
  const wood = ['#7d9a8f', '#b99674', '#a7b3bd', '#c2a79a'][Math.floor(random() * 4)];
  table.addColorStop(0, 'color-mix(in srgb, ' + wood + ' 80%, white)');
  table.addColorStop(1, 'color-mix(in srgb, ' + wood + ' 82%, black)');
  c.fillStyle = table;
  c.fillRect(0, 0, 800, 600);
  const [outer, inner] = { plate: [272, 215], bowl: [245, 205], cup: [185, 128], glass: [150, 126] }[on];
  shade(40, 16);
  if (on === 'cup') round(400, 300, 250, lit(400, 300, 250, '#efe8dc'));
  if (on === 'cup') { c.save(); c.translate(590, 300); c.lineWidth = 24; c.strokeStyle = '#f4efe6'; c.beginPath(); c.arc(0, 0, 48, 0, 7); c.stroke(); c.restore(); }
  round(400, 300, outer, lit(400, 300, outer, on === 'glass' ? '#dfe9ea' : '#f6f1e8'));
  shade(0, 0);
  round(400, 300, inner, lit(400, 300, inner, fill));
  c.save();
  c.beginPath(); c.arc(400, 300, on === 'plate' ? outer - 14 : inner, 0, 7); c.clip();
  for (const [shape, colour, count, size] of pieces)
    for (let i = 0; i < count; i += 1) {
      const far = count === 1 ? 0 : (inner - size * 0.55) * Math.sqrt(random()) * 0.88;
      const turn = count <= 7 ? (i / count) * 6.283 + 0.6 : random() * 6.283;
      const reach = count <= 7 && count > 1 ? Math.max(far, Math.min(inner * 0.5, size * 0.95)) : far;
      const [x, y] = [400 + Math.cos(turn) * reach, 300 + Math.sin(turn) * reach];
      const r = size * (count === 1 ? 1 : 0.82 + random() * 0.36);
      shade(Math.min(14, r / 3), Math.min(6, r / 8));
      c.save(); c.translate(x, y); c.rotate(random() * 6.283);
      if (shape === 'dot' || shape === 'disc') round(0, 0, r, lit(0, 0, r, colour));
      if (shape === 'leaf') { c.beginPath(); c.ellipse(0, 0, r, r * 0.45, 0, 0, 7); c.fillStyle = lit(0, 0, r, colour); c.fill(); }
      if (shape === 'bar') { c.beginPath(); c.roundRect(-r, -r * 0.3, r * 2, r * 0.6, r * 0.28); c.fillStyle = lit(0, 0, r, colour); c.fill(); }
      if (shape === 'ring') { shade(0, 0); c.beginPath(); c.arc(0, 0, r, 0.4, 5.8); c.lineWidth = Math.max(6, r / 6); c.strokeStyle = colour; c.stroke(); }
      c.restore();
    }
  c.restore();
  shade(0, 0);
  const gloss = c.createRadialGradient(260, 150, 20, 260, 150, 420);
  gloss.addColorStop(0, 'rgba(255,250,235,.28)');
  gloss.addColorStop(1, 'rgba(255,250,235,0)');
  c.fillStyle = gloss;
  c.fillRect(0, 0, 800, 600);
  const small = document.createElement('canvas');
  [small.width, small.height] = [400, 300];
  const s = small.getContext('2d');
  s.imageSmoothingQuality = 'high';
  s.drawImage(canvas, 0, 0, 400, 300);
  return [canvas, small].map((one) => one.toDataURL('image/webp', 0.72).split(',')[1]);
}`;

const FOLDER = new URL('../../src/demo/photos/', import.meta.url);

test.runIf(process.env['COMANDA_SCREENSHOTS'] === 'on')('draws the photos of the demo', async () => {
  const browser = await openBrowser();
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  for (const [name, dish] of Object.entries(DISHES)) {
    const drawn = await page.evaluate(`(${PAINT})(${JSON.stringify(name)}, ${JSON.stringify(dish)})`);
    const [large, small] = drawn as readonly [string, string];
    await writeFile(new URL(`${name}.webp`, FOLDER), Buffer.from(large, 'base64'));
    await writeFile(new URL(`${name}.small.webp`, FOLDER), Buffer.from(small, 'base64'));
  }
});

test('every dish of the demo has a photo in two sizes, under 600 kB in all', async () => {
  const { menu } = await readDemo();
  const files = await readdir(FOLDER);
  expect(files.sort()).toEqual(
    menu.items.flatMap(({ external_id: id }) => [`${id}.small.webp`, `${id}.webp`]).sort(),
  );
  const sizes = await Promise.all(files.map(async (file) => (await stat(new URL(file, FOLDER))).size));
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(600_000);
});

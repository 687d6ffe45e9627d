import type { DemoStore } from './stores.js';

interface Customer {
  readonly name: string;
  readonly phone: string;
}

const NAMES: Readonly<Record<string, readonly string[]>> = {
  madrid: [
    'Lucía Fernández',
    'Íñigo Echeverría',
    'María José Núñez',
    'Álvaro Peña',
    'Chloé Dubois',
    'Søren Ødegård',
    'Jürgen Groß',
    'Noor El Amrani',
    'Begoña Ibáñez',
    'Tomás Güell',
    'Zoë Vandenberghe',
    'Marta Sánchez-Albornoz',
  ],
  tokyo: [
    '佐藤 美咲',
    '鈴木 大輔',
    '高橋 さくら',
    '田中 健太',
    'Emily Nakamura',
    '山本 陽子',
    '伊藤 翔',
    'Kenji O’Brien',
    '渡辺 結衣',
    '小林 誠',
  ],
  dubai: [
    'محمد الحسن',
    'ليلى حداد',
    'فاطمة الزهراء',
    'Omar Al Farsi',
    'Priya Raghunathan',
    'يوسف منصور',
    'Anastasia Volkova',
    'نور الدين خليل',
    'Ahmed Bin Rashid',
    'Mary Ann Cruz',
  ],
};

/** In ranges that stand for nobody: the fourth group of each is 555. */
const PHONES: Readonly<Record<string, (number: number) => string>> = {
  madrid: (number) => `+34 600 555 ${digits(number, 3)}`,
  tokyo: (number) => `+81 90-5550-${digits(number, 4)}`,
  dubai: (number) => `+971 50 555 ${digits(number, 4)}`,
};

/** A customer keeps the phone number: whoever searches by one finds all the orders. */
export function customerOf(store: DemoStore, number: number): Customer {
  const names = NAMES[store.code] ?? [];
  const at = number % names.length;
  return { name: names[at] ?? 'Guest', phone: PHONES[store.code]?.(100 + at) ?? '' };
}

/** The one whom the examples of the API documents look for. */
export const exampleCustomer: Customer = { name: 'Łukasz Nowak', phone: '+48 22 555 01 23' };

function digits(number: number, length: number): string {
  return String(number).padStart(length, '0');
}

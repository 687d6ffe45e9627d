import { texts } from './dish.js';
import type { Texts } from './stores.js';

/** A group of choices that several dishes share. */
export interface Choices {
  readonly id: string;
  readonly type: string;
  readonly name: Texts;
  readonly least: number;
  readonly most: number;
  /** So many are free. */
  readonly free: number;
  readonly options: readonly Option[];
}

export interface Option {
  readonly id: string;
  readonly cents: number;
  readonly name: Texts;
  readonly isUsual?: boolean;
  readonly most?: number;
  /** The dish that this choice also is. */
  readonly dish?: string;
}

export const choices: readonly Choices[] = [
  {
    id: 'milk',
    type: 'single',
    name: texts('Milk', 'Leche', 'ミルク', 'الحليب'),
    least: 1,
    most: 1,
    free: 0,
    options: [
      {
        id: 'whole-milk',
        cents: 0,
        name: texts('Whole milk', 'Leche entera', '牛乳', 'حليب كامل الدسم'),
        isUsual: true,
      },
      {
        id: 'oat-milk',
        cents: 40,
        name: texts('Oat milk', 'Bebida de avena', 'オーツミルク', 'حليب الشوفان'),
      },
      { id: 'soy-milk', cents: 30, name: texts('Soy milk', 'Bebida de soja', '豆乳', 'حليب الصويا') },
    ],
  },
  {
    id: 'size',
    type: 'single',
    name: texts('Size', 'Tamaño', 'サイズ', 'الحجم'),
    least: 1,
    most: 1,
    free: 0,
    options: [
      { id: 'size-small', cents: -30, name: texts('Small', 'Pequeño', 'S', 'صغير') },
      { id: 'size-medium', cents: 0, name: texts('Medium', 'Mediano', 'M', 'وسط'), isUsual: true },
      { id: 'size-large', cents: 60, name: texts('Large', 'Grande', 'L', 'كبير') },
    ],
  },
  {
    id: 'bread',
    type: 'single',
    name: texts('Bread', 'Pan', 'パン', 'الخبز'),
    least: 0,
    most: 1,
    free: 0,
    options: [
      {
        id: 'sourdough',
        cents: 0,
        name: texts('Sourdough', 'Masa madre', 'サワードウ', 'خبز مخمر'),
        isUsual: true,
      },
      {
        id: 'gluten-free-bread',
        cents: 120,
        name: texts('Gluten-free', 'Sin gluten', 'グルテンフリー', 'خالٍ من الغلوتين'),
      },
    ],
  },
  {
    id: 'doneness',
    type: 'single',
    name: texts('How done', 'Punto de la carne', '焼き加減', 'درجة النضج'),
    least: 1,
    most: 1,
    free: 0,
    options: [
      { id: 'medium-rare', cents: 0, name: texts('Medium rare', 'Poco hecha', 'ミディアムレア', 'نصف نضج') },
      {
        id: 'well-done',
        cents: 0,
        name: texts('Well done', 'Muy hecha', 'ウェルダン', 'ناضج جيداً'),
        isUsual: true,
      },
    ],
  },
  {
    id: 'side',
    type: 'single',
    name: texts('Side', 'Guarnición', 'サイド', 'الطبق الجانبي'),
    least: 1,
    most: 1,
    free: 0,
    options: [
      {
        id: 'side-fries',
        cents: 0,
        name: texts('Fries', 'Patatas fritas', 'フライドポテト', 'بطاطس مقلية'),
        isUsual: true,
        dish: 'fries',
      },
      {
        id: 'side-salad',
        cents: 0,
        name: texts('Green salad', 'Ensalada verde', 'グリーンサラダ', 'سلطة خضراء'),
      },
      {
        id: 'side-bravas',
        cents: 150,
        name: texts('Bravas', 'Bravas', 'ブラバス', 'بطاطس برافاس'),
        dish: 'bravas',
      },
    ],
  },
  {
    id: 'extras',
    type: 'multiple',
    name: texts('Extras', 'Extras', 'トッピング', 'إضافات'),
    least: 0,
    most: 5,
    free: 0,
    options: [
      { id: 'extra-cheese', cents: 120, name: texts('Cheese', 'Queso', 'チーズ', 'جبن'), most: 2 },
      {
        id: 'extra-egg',
        cents: 150,
        name: texts('Fried egg', 'Huevo frito', '目玉焼き', 'بيض مقلي'),
        most: 2,
      },
      { id: 'extra-avocado', cents: 180, name: texts('Avocado', 'Aguacate', 'アボカド', 'أفوكادو') },
    ],
  },
  {
    id: 'sauces',
    type: 'multiple',
    name: texts(
      'Sauces, the first is free',
      'Salsas, la primera gratis',
      'ソース（1つ目は無料）',
      'الصلصات، الأولى مجاناً',
    ),
    least: 0,
    most: 3,
    free: 1,
    options: [
      { id: 'aioli', cents: 60, name: texts('Aioli', 'Alioli', 'アイオリ', 'صلصة الثوم') },
      { id: 'tahini', cents: 60, name: texts('Tahini', 'Tahini', 'タヒニ', 'طحينة') },
      { id: 'hot-sauce', cents: 60, name: texts('Hot sauce', 'Salsa picante', 'ホットソース', 'صلصة حارة') },
    ],
  },
];

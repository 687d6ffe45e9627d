import { texts, VEGETARIAN, type Dish } from './dish.js';

export const coffee: readonly Dish[] = [
  {
    id: 'espresso',
    cents: 160,
    name: texts('Espresso', 'Café solo', 'エスプレッソ', 'إسبريسو'),
    more: { dietary_labels: ['VEGAN', 'VEGETARIAN', 'GLUTEN_FREE'], prep_time: 2 },
  },
  {
    id: 'flat-white',
    cents: 320,
    name: texts('Flat white', 'Flat white', 'フラットホワイト', 'فلات وايت'),
    groups: ['milk', 'size'],
    more: { ...VEGETARIAN, allergens: 'milk', prep_time: 4 },
  },
  {
    id: 'cappuccino',
    cents: 300,
    name: texts('Cappuccino', 'Capuchino', 'カプチーノ', 'كابتشينو'),
    groups: ['milk', 'size'],
    more: { ...VEGETARIAN, allergens: 'milk', prep_time: 4 },
  },
  {
    id: 'mint-tea',
    cents: 280,
    name: texts('Fresh mint tea', 'Té de menta', 'ミントティー', 'شاي بالنعناع'),
    groups: ['size'],
    more: { dietary_labels: ['VEGAN', 'VEGETARIAN', 'GLUTEN_FREE'], prep_time: 5 },
  },
];

export const cold: readonly Dish[] = [
  {
    id: 'lemonade',
    cents: 380,
    name: texts('Mint lemonade', 'Limonada con menta', 'ミントレモネード', 'ليمونادة بالنعناع'),
    groups: ['size'],
    more: { dietary_labels: ['VEGAN', 'VEGETARIAN', 'GLUTEN_FREE'], prep_time: 3 },
  },
  {
    id: 'water',
    cents: 180,
    name: texts('Mineral water', 'Agua mineral', 'ミネラルウォーター', 'مياه معدنية'),
  },
];

export const alcohol: readonly Dish[] = [
  {
    id: 'lager',
    cents: 290,
    name: texts('Lager', 'Caña', 'ラガービール', 'بيرة'),
    more: { alcohol_by_volume: 5.4, allergens: 'gluten', prep_time: 1 },
  },
  {
    id: 'rioja',
    cents: 420,
    name: texts('Glass of Rioja', 'Copa de Rioja', 'リオハ（グラス）', 'كأس ريوخا'),
    more: { alcohol_by_volume: 13.5, allergens: 'sulphites', prep_time: 1 },
  },
];

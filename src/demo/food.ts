import { texts, VEGAN, VEGETARIAN, type Dish } from './dish.js';

export const breakfast: readonly Dish[] = [
  {
    id: 'tomato-toast',
    cents: 350,
    name: texts('Tomato toast', 'Tostada con tomate', 'トマトトースト', 'خبز محمص بالطماطم'),
    description: texts(
      'Sourdough, grated tomato, olive oil',
      'Pan de masa madre, tomate rallado y aceite de oliva',
      'サワードウ、すりおろしトマト、オリーブオイル',
      'خبز العجين المخمر مع طماطم مبشورة وزيت الزيتون',
    ),
    groups: ['bread'],
    more: { ...VEGAN, ingredients: 'Bread, tomato, olive oil, salt', allergens: 'gluten', prep_time: 6 },
  },
  {
    id: 'tortilla',
    cents: 480,
    name: texts('Potato omelette', 'Tortilla de patatas', 'スペイン風オムレツ', 'عجة البطاطس الإسبانية'),
    groups: ['bread'],
    more: {
      dietary_labels: ['VEGETARIAN', 'GLUTEN_FREE'],
      ingredients: 'Potato, egg, onion, olive oil',
      allergens: 'egg',
      prep_time: 8,
    },
  },
  {
    id: 'shakshuka',
    cents: 950,
    name: texts('Shakshuka', 'Shakshuka', 'シャクシュカ', 'شكشوكة'),
    description: texts(
      'Eggs poached in tomato and pepper',
      'Huevos escalfados en tomate y pimiento',
      'トマトとパプリカで煮込んだ卵',
      'بيض مطهو في صلصة الطماطم والفلفل',
    ),
    groups: ['bread', 'extras'],
    more: { ...VEGETARIAN, allergens: 'egg', prep_time: 14 },
  },
  {
    id: 'granola',
    cents: 620,
    name: texts('Yoghurt and granola', 'Yogur con granola', 'ヨーグルトとグラノーラ', 'زبادي مع الجرانولا'),
    more: { ...VEGETARIAN, allergens: 'milk, nuts, gluten', prep_time: 3 },
  },
  {
    id: 'croissant',
    cents: 220,
    name: texts('Butter croissant', 'Cruasán de mantequilla', 'バタークロワッサン', 'كرواسون بالزبدة'),
    more: { ...VEGETARIAN, allergens: 'gluten, milk, egg', prep_time: 2 },
  },
];

export const toShare: readonly Dish[] = [
  {
    id: 'hummus',
    cents: 650,
    name: texts('Hummus with warm pita', 'Hummus con pan de pita', 'フムスと温かいピタ', 'حمص مع خبز ساخن'),
    more: { ...VEGAN, allergens: 'sesame, gluten', prep_time: 5 },
  },
  {
    id: 'bravas',
    cents: 590,
    name: texts('Patatas bravas', 'Patatas bravas', 'パタタス・ブラバス', 'بطاطس برافاس'),
    groups: ['sauces'],
    more: { dietary_labels: ['VEGAN', 'VEGETARIAN', 'GLUTEN_FREE'], prep_time: 10 },
  },
  {
    id: 'croquettes',
    cents: 780,
    name: texts('Mushroom croquettes', 'Croquetas de setas', 'きのこのクロケタ', 'كروكيت الفطر'),
    groups: ['sauces'],
    more: { ...VEGETARIAN, allergens: 'gluten, milk, egg', prep_time: 9 },
  },
  {
    id: 'gazpacho',
    cents: 560,
    name: texts('Gazpacho', 'Gazpacho', 'ガスパチョ', 'حساء غاسباتشو البارد'),
    more: { dietary_labels: ['VEGAN', 'VEGETARIAN', 'GLUTEN_FREE'], prep_time: 3 },
  },
];

export const mains: readonly Dish[] = [
  {
    id: 'burger',
    cents: 1290,
    name: texts('House burger', 'Hamburguesa de la casa', 'ハウスバーガー', 'برغر البيت'),
    description: texts(
      'Beef, cheddar, pickles, brioche bun',
      'Ternera, cheddar, pepinillos y pan brioche',
      'ビーフ、チェダー、ピクルス、ブリオッシュバンズ',
      'لحم بقري وجبن شيدر ومخلل في خبز البريوش',
    ),
    groups: ['doneness', 'side', 'extras', 'sauces'],
    more: { allergens: 'gluten, milk, egg, mustard', prep_time: 16 },
  },
  {
    id: 'vegetable-rice',
    cents: 1450,
    name: texts('Vegetable paella', 'Paella de verduras', '野菜のパエリア', 'باييا بالخضار'),
    more: {
      dietary_labels: ['VEGAN', 'VEGETARIAN', 'GLUTEN_FREE'],
      ingredients: 'Rice, artichoke, green beans, red pepper, saffron',
      prep_time: 25,
    },
  },
  {
    id: 'salmon',
    cents: 1690,
    name: texts('Grilled salmon', 'Salmón a la plancha', 'サーモンのグリル', 'سلمون مشوي'),
    groups: ['side', 'sauces'],
    more: { dietary_labels: ['GLUTEN_FREE'], allergens: 'fish', prep_time: 18 },
  },
  {
    id: 'shawarma',
    cents: 1190,
    name: texts(
      'Chicken shawarma plate',
      'Plato de shawarma de pollo',
      'チキンシャワルマ',
      'طبق شاورما دجاج',
    ),
    groups: ['side', 'sauces', 'extras'],
    more: { allergens: 'gluten, sesame', prep_time: 12 },
  },
  {
    id: 'falafel',
    cents: 1090,
    name: texts('Falafel bowl', 'Bol de falafel', 'ファラフェルボウル', 'طبق فلافل'),
    groups: ['sauces', 'extras'],
    more: { ...VEGAN, allergens: 'sesame', prep_time: 10 },
  },
  {
    id: 'margherita',
    cents: 1150,
    name: texts('Pizza Margherita', 'Pizza margarita', 'ピッツァ・マルゲリータ', 'بيتزا مارغريتا'),
    groups: ['extras'],
    more: { ...VEGETARIAN, allergens: 'gluten, milk', prep_time: 14 },
  },
];

export const sweet: readonly Dish[] = [
  {
    id: 'churros',
    cents: 490,
    name: texts(
      'Churros with chocolate',
      'Churros con chocolate',
      'チュロスとホットチョコレート',
      'تشوروس بالشوكولاتة',
    ),
    more: { ...VEGETARIAN, allergens: 'gluten, milk', prep_time: 8 },
  },
  {
    id: 'crema-catalana',
    cents: 550,
    name: texts('Crema catalana', 'Crema catalana', 'クレマ・カタラナ', 'كريما كاتالانا'),
    more: { dietary_labels: ['VEGETARIAN', 'GLUTEN_FREE'], allergens: 'milk, egg', prep_time: 4 },
  },
  {
    id: 'baklava',
    cents: 420,
    name: texts('Pistachio baklava', 'Baklava de pistacho', 'ピスタチオのバクラヴァ', 'بقلاوة بالفستق'),
    more: { ...VEGETARIAN, allergens: 'gluten, nuts, milk', prep_time: 2 },
  },
];

export const lateNight: readonly Dish[] = [
  {
    id: 'grilled-cheese',
    cents: 690,
    name: texts(
      'Grilled cheese sandwich',
      'Sándwich de queso',
      'グリルドチーズサンド',
      'ساندويتش الجبن المشوي',
    ),
    groups: ['bread', 'sauces'],
    more: { ...VEGETARIAN, allergens: 'gluten, milk', prep_time: 7 },
  },
  {
    id: 'fries',
    cents: 390,
    name: texts('Fries', 'Patatas fritas', 'フライドポテト', 'بطاطس مقلية'),
    groups: ['sauces'],
    more: { dietary_labels: ['VEGAN', 'VEGETARIAN', 'GLUTEN_FREE'], prep_time: 7 },
  },
];

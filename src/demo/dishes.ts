import { texts, type Dish } from './dish.js';
import { alcohol, coffee, cold } from './drinks.js';
import { breakfast, lateNight, mains, sweet, toShare } from './food.js';
import type { Texts } from './stores.js';

/** The categories of the house in the order in which the menus show them. */
export const dishesByCategory = {
  breakfast,
  'to-share': toShare,
  mains,
  sweet,
  'late-night': lateNight,
  coffee,
  'cold-drinks': cold,
  'beer-and-wine': alcohol,
} as const satisfies Readonly<Record<string, readonly Dish[]>>;

export type CategoryId = keyof typeof dishesByCategory;

export const categoryNames: Readonly<Record<CategoryId, Texts>> = {
  breakfast: texts('Breakfast', 'Desayunos', '朝食', 'الفطور'),
  'to-share': texts('To share', 'Para compartir', 'シェアプレート', 'للمشاركة'),
  mains: texts('Mains', 'Platos principales', 'メイン', 'الأطباق الرئيسية'),
  sweet: texts('Sweet', 'Postres', 'デザート', 'الحلويات'),
  'late-night': texts('Late bites', 'De madrugada', '深夜メニュー', 'وجبات آخر الليل'),
  coffee: texts('Coffee and tea', 'Café y té', 'コーヒーと紅茶', 'القهوة والشاي'),
  'cold-drinks': texts('Cold drinks', 'Bebidas frías', 'ソフトドリンク', 'المشروبات الباردة'),
  'beer-and-wine': texts('Beer and wine', 'Cervezas y vinos', 'ビールとワイン', 'البيرة والنبيذ'),
};

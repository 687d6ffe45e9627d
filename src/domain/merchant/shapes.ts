import Type, { type Static } from 'typebox';
import { exampleIds } from '../example-ids.js';
import { Datetime, PatchOf } from '../shape/common-shapes.js';

export const BusinessTypeSchema = Type.Object(
  { name: Type.String({ minLength: 1, examples: ['Restaurant'] }) },
  { $id: 'BusinessTypeSchema' },
);

export const MerchantResponse = Type.Object(
  {
    created_at: Datetime({ examples: ['2026-01-05T09:30:00.000Z'] }),
    id: Type.String({ examples: [exampleIds.merchant] }),
    brand_name: Type.String({ examples: ['Casa Comanda'] }),
    business_type: Type.Optional(BusinessTypeSchema),
  },
  { $id: 'MerchantResponse' },
);
export type MerchantResponse = Static<typeof MerchantResponse>;

const writable = {
  brand_name: Type.String({ minLength: 1, examples: ['Casa Comanda'] }),
  business_type: Type.Optional(BusinessTypeSchema),
};

export const MerchantCreate = Type.Object(writable, { $id: 'MerchantCreate' });
export type MerchantCreate = Static<typeof MerchantCreate>;

export const MerchantPatch = PatchOf(writable, { $id: 'MerchantPatch' });
export type MerchantPatch = Static<typeof MerchantPatch>;

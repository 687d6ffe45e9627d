import Type from 'typebox';
import { exampleIds } from '../domain/example-ids.js';
import { MerchantCreate, MerchantPatch, MerchantResponse } from '../domain/merchant/shapes.js';
import { json } from '../http/answer.js';
import { findMerchant } from '../http/find-resource.js';
import { route, type Route } from '../http/route.js';
import { changeMerchant, createMerchant } from '../operations/merchants.js';
import { answerOnce, IdempotencyHeaders } from './idempotency-key.js';

export const MerchantParams = Type.Object({
  merchant_id: Type.String({ description: 'The id of the merchant', examples: [exampleIds.merchant] }),
});

const MERCHANT_EXAMPLE = { brand_name: 'Casa Comanda', business_type: { name: 'Restaurant' } };

export function merchantRoutes(): Route[] {
  return [
    route({
      method: 'POST',
      path: '/manage/v1/merchants',
      operationId: 'create_merchant',
      tag: 'Merchants',
      summary: 'Create a merchant',
      permission: 'operator',
      headers: IdempotencyHeaders,
      body: { kind: 'json', schema: MerchantCreate, example: MERCHANT_EXAMPLE },
      answers: [{ status: 201, description: 'The merchant', schema: MerchantResponse }],
      handler: (call) =>
        answerOnce(call, async (tx) => ({
          status: 201,
          body: await createMerchant(tx, call.body),
        })),
    }),
    route({
      method: 'PATCH',
      path: '/manage/v1/merchants/{merchant_id}',
      operationId: 'change_merchant',
      tag: 'Merchants',
      summary: 'Change a merchant',
      description: 'Fields that are left out stay as they are; null clears one.',
      permission: 'operator',
      params: MerchantParams,
      body: { kind: 'json', schema: MerchantPatch, example: MERCHANT_EXAMPLE },
      answers: [{ status: 200, description: 'The merchant', schema: MerchantResponse }],
      findResource: (call) => findMerchant(call, call.params.merchant_id),
      handler: async ({ db, params, body }) =>
        json(await db.transaction((tx) => changeMerchant(tx, params.merchant_id, body))),
    }),
  ];
}

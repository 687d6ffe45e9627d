import Type from 'typebox';
import { listMerchants } from '../../db/merchants.js';
import { exampleIds } from '../../domain/example-ids.js';
import { MerchantResponse } from '../../domain/merchant/shapes.js';
import { json } from '../../http/answer.js';
import { findMerchant } from '../../http/find-resource.js';
import { SkipLimit } from '../../domain/shape/common-shapes.js';
import { route, type Route } from '../../http/route.js';

export function merchantRoutes(): Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/merchants/',
      operationId: 'list_merchants',
      tag: 'Merchants',
      summary: 'List merchants',
      description: 'The merchants this key may see, oldest first.',
      permission: 'read',
      query: SkipLimit,
      answers: [{ status: 200, description: 'The merchants', schema: Type.Array(MerchantResponse) }],
      handler: async ({ db, principal, query }) =>
        json(
          await listMerchants(db, principal.kind === 'operator' ? undefined : principal.merchantId, query),
        ),
    }),
    route({
      method: 'GET',
      path: '/v1/merchants/{merchant_service_id}',
      operationId: 'get_merchant',
      tag: 'Merchants',
      summary: 'Get merchant',
      permission: 'read',
      params: Type.Object({
        merchant_service_id: Type.String({
          description: 'The id of the merchant',
          examples: [exampleIds.merchant],
        }),
      }),
      answers: [{ status: 200, description: 'The merchant', schema: MerchantResponse }],
      findResource: (call) => findMerchant(call, call.params.merchant_service_id),
      handler: ({ resource }) => json(resource),
    }),
  ];
}

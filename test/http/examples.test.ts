import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.js';
import { loadDemo } from '../../src/demo/load-demo.js';
import { exampleIds } from '../../src/support/example-ids.js';
import { ask } from '../harness/client.js';
import { useService } from '../harness/service.js';

const service = await useService();
await loadDemo(service.db, loadConfig({}).limits, Date.now());
const key = service.operatorKey;

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly example?: unknown }[];
  readonly requestBody?: { readonly content: Record<string, { readonly example?: unknown }> };
}

interface Document {
  readonly paths: Record<string, Record<string, Operation>>;
}

/** The demo has none of these, so that nothing sent from a page can harm one that is in use. */
const NOT_THERE = /\{(key_id|webhook_id|publication_id|place_id|printer_id)\}/;
const EXPECTED: Readonly<Record<string, number>> = {
  // An image is no text that a document could show.
  'put /manage/v1/stores/{store_id}/menu/items/{external_id}/photo': 422,
  // What has orders is not deleted without saying so, and an archive goes only into an empty installation.
  'delete /manage/v1/merchants/{merchant_id}': 409,
  'delete /manage/v1/stores/{store_id}': 409,
  'post /manage/v1/restore': 409,
  'post /manage/v1/merchants/restore': 422,
  // The demo is in use where it is.
  'delete /manage/v1/merchants/{merchant_id}/move': 409,
  'post /manage/v1/merchants/{merchant_id}/move/changes': 409,
  // The demo has no printer.
  'post /manage/v1/orders/{order_id}/print': 404,
};

/** The request as the reference page puts it together: everything that has an example. */
function exampleOf(template: string, { parameters = [], requestBody }: Operation) {
  const given = (where: string) =>
    parameters.filter((one) => one.in === where && one.example !== undefined) as readonly {
      readonly name: string;
      readonly example: unknown;
    }[];
  const path = given('path').reduce(
    (filled, { name, example }) => filled.replace(`{${name}}`, encodeURIComponent(String(example))),
    template,
  );
  const query = new URLSearchParams(
    given('query').flatMap(({ name, example }) =>
      [example].flat().map((one): [string, string] => [name, String(one)]),
    ),
  );
  const [content] = Object.entries(requestBody?.content ?? {});
  const [type, example] = [content?.[0], content?.[1].example];
  return {
    url: `${service.url}${path}${query.size === 0 ? '' : `?${query.toString()}`}`,
    headers: {
      ...Object.fromEntries(given('header').map(({ name, example }) => [name, String(example)])),
      ...(type === undefined ? {} : { 'content-type': type }),
    },
    body: typeof example === 'string' || example === undefined ? example : JSON.stringify(example),
  };
}

describe.each(['/openapi.json', '/manage/openapi.json'])('the examples of %s', (document) => {
  it('are accepted as they stand, what makes something also twice', async () => {
    const { paths } = (await ask<Document>(service.url + document)).body;
    const menu = `${service.url}/v1/stores/${exampleIds.store}/menu_configuration/flat`;
    const before = (await ask(menu, { key })).body;
    const made: string[] = [];
    const refused: unknown[] = [];
    for (const [template, methods] of Object.entries(paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        const { url, headers, body } = exampleOf(template, operation);
        for (let times = 0; times < (method === 'post' ? 2 : 1); times += 1) {
          const answer = await fetch(url, {
            method: method.toUpperCase(),
            headers: { ...headers, 'x-api-key': key },
            ...(body === undefined ? {} : { body }),
          });
          const text =
            answer.headers.get('content-type')?.includes('event-stream') === true
              ? await answer.body?.cancel()
              : await answer.text();
          const wanted = NOT_THERE.test(template) ? 404 : EXPECTED[`${method} ${template}`];
          const isAsExpected = wanted === undefined ? answer.ok : answer.status === wanted;
          if (!isAsExpected) refused.push([method, url, body, answer.status, text]);
          // Adding a payment answers its order.
          if (answer.status === 201 && !template.endsWith('/payments'))
            made.push((JSON.parse(text ?? '{}') as { id: string }).id);
          if (template.endsWith('/import'))
            expect(JSON.parse(text ?? '')).toMatchObject({ created: 1, refused: 0 });
        }
      }
    }
    expect(refused).toEqual([]);
    // Nothing that was made the second time is what was made the first time, and nobody's menu was replaced.
    expect(new Set(made).size).toBe(made.length);
    expect((await ask(menu, { key })).body).toEqual(before);
  }, 60_000);
});

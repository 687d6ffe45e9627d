import Schema from 'typebox/schema';

/** What a service says about its own responses; every response that the tests read is held against it. */

interface MediaType {
  readonly schema?: object;
}

interface Operation {
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, MediaType>> }>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: object;
}

type Check = (value: unknown) => string | undefined;

interface Documented {
  readonly pattern: RegExp;
  readonly template: string;
  readonly method: string;
  readonly operation: Operation;
  readonly compile: (schema: object) => Check;
}

const DOCUMENTS = ['/openapi.json', '/manage/openapi.json', '/guest/openapi.json'];
const services = new Map<string, readonly Documented[]>();
/** By the limits they were made with, which is all that tells the documents of two services apart. */
const documented = new Map<string, Promise<readonly Documented[]>>();

/** From now on, responses of this service must be as its documents say. */
export async function holdToDocuments(url: string, limits: object): Promise<void> {
  const name = JSON.stringify(limits);
  const read = documented.get(name) ?? readDocuments(url);
  documented.set(name, read);
  services.set(url, await read);
}

async function readDocuments(url: string): Promise<readonly Documented[]> {
  const found = await Promise.all(
    DOCUMENTS.map(async (path) => operationsOf((await (await fetch(url + path)).json()) as Document)),
  );
  return found.flat();
}

function operationsOf({ paths, components }: Document): Documented[] {
  const checks = new Map<object, Check>();
  const closedComponents = closed(components);
  const compile = (schema: object): Check => {
    const known = checks.get(schema);
    if (known !== undefined) return known;
    const whole = { ...(closed(schema) as object), components: closedComponents };
    const validator = Schema.Compile(whole as Schema.XSchema);
    const check: Check = (value) => {
      if (validator.Check(value)) return undefined;
      const [, errors] = validator.Errors(value);
      return JSON.stringify(errors.slice(0, 3));
    };
    checks.set(schema, check);
    return check;
  };
  return Object.entries(paths)
    .flatMap(([template, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        pattern: new RegExp(`^${template.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
        template,
        method: method.toUpperCase(),
        operation,
        compile,
      })),
    )
    .sort((one, other) => parametersIn(one) - parametersIn(other));
}

const parametersIn = ({ template }: Documented) => template.split('{').length;

/** A response may have no field that its shape does not name, though a client must bear one. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const members = Object.entries(schema).map(([key, value]): [string, unknown] => [
    key,
    key === 'examples' || key === 'default' || key === 'enum' ? value : closed(value),
  ]);
  const isShape = 'type' in schema && 'properties' in schema && !('additionalProperties' in schema);
  return { ...Object.fromEntries(members), ...(isShape ? { additionalProperties: false } : {}) };
}

/** Throws if a response is none that the documents of its service promise. */
export function requireDocumented(
  url: string,
  method: string,
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  text: string,
): void {
  const { origin, pathname } = new URL(url);
  const found = services.get(origin)?.find((one) => one.method === method && one.pattern.test(pathname));
  if (found === undefined) return;
  const name = `${method} ${found.template} ${status}`;
  const response = found.operation.responses[String(status)];
  if (response === undefined) throw new Error(`${name} is not documented: ${text.slice(0, 200)}`);
  const [type = ''] = (headers.get('content-type') ?? '').split(';');
  if (text === '') return;
  const media = response.content?.[type];
  if (media === undefined) throw new Error(`${name} is documented without the content type ${type}`);
  if (media.schema === undefined) return;
  const values = /\bjson$/.test(type) ? [text] : type.endsWith('ndjson') ? text.trim().split('\n') : [];
  for (const value of values) {
    const error = found.compile(media.schema)(JSON.parse(value));
    if (error !== undefined) throw new Error(`${name} is not as documented: ${error} ${value.slice(0, 300)}`);
  }
}

import type { InnerRequest } from '../http/inner-calls.js';
import type { Route } from '../http/route.js';
import { Type } from '../support/shape/type.js';
import { ErrorList, ValidationFailed } from '../support/error-details.js';
import { compileShape } from '../support/shape/compile-shape.js';
import { memberOf } from '../support/maps.js';
import { toAnswer, type Json, type Shown, type Wording } from './show.js';

/** What one call of a tool may do. */
export interface ToolCall {
  /** Runs an operation with those of the arguments that it takes; throws OperationRefused. */
  readonly run: (operation: string, args: Json, ifMatch?: string) => Promise<unknown>;
  /** How the store writes amounts, times and names. */
  readonly wordingOf: (storeId: unknown) => Promise<Wording>;
  /** What only the service can say about a text. */
  readonly sign: (text: string) => Promise<string>;
}

/** One tool: the operation behind it, what of its shapes an assistant may state, and what of its answer is shown. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  /** Its permission decides who sees the tool. */
  readonly operation: string;
  /** Names of the path, the query and the body of the operation. */
  readonly takes: readonly string[];
  /** Arguments that the operation does not have, as JSON Schema. */
  readonly own?: Readonly<Record<string, Json>>;
  /** Of its own arguments, or beyond what the operation requires. */
  readonly requires?: readonly string[];
  /** Default: it changes nothing. */
  readonly hints?: Hints;
  /** What of the answer an assistant reads. Default: all of it. */
  readonly shows?: (body: unknown, args: Json, wording: Wording) => Shown;
  /** What the tool states by itself. */
  readonly states?: Json;
  /** In place of running the operation and showing what came. */
  readonly run?: (call: ToolCall, args: Json) => Promise<Json>;
}

/** A tool that reads lists takes a cursor. */
export function tool(name: string, operation: string, row: Omit<Tool, 'name' | 'operation'>): Tool {
  const readsLists = row.hints === undefined && (row.shows ?? row.run) !== undefined;
  return { name, operation, ...row, own: { ...row.own, ...(readsLists ? { cursor: CURSOR } : {}) } };
}

/** Runs a tool, and shows its answer in the words of the store that it is about. */
export async function runTool(
  { operation, states, shows = (body) => ({ fields: body as Json }), run }: Tool,
  call: ToolCall,
  args: Json,
): Promise<Json> {
  if (run !== undefined) return run(call, args);
  const body = await call.run(operation, { ...args, ...states });
  const wording = await call.wordingOf(args['store_id'] ?? memberOf(memberOf(body, 'store'), 'id'));
  return toAnswer(shows(body, args, wording), args['cursor'], wording);
}

interface Hints {
  readonly readOnlyHint: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
}

/** Changes something that was there, to what the arguments say: a second time changes nothing more. */
export const CHANGES: Hints = { readOnlyHint: false, destructiveHint: true, idempotentHint: true };
const IDEMPOTENCY_KEY: Json = {
  type: 'string',
  minLength: 1,
  maxLength: 255,
  description:
    'A new one for each order. If the answer was lost, call again with the same one: it stays one order',
};
/** What a tool that adds an order has: one for each idempotency key. */
export const ADDS = {
  own: { idempotency_key: IDEMPOTENCY_KEY },
  requires: ['idempotency_key'],
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
} as const;

const CURSOR: Json = { type: 'string', description: 'The cursor of the previous answer, to go on' };
/** Each word is looked for in every entry. */
export const TEXT: Json = {
  type: 'string',
  maxLength: 200,
  description: 'Words to look for in names, descriptions and external_ids',
};
export const EXTERNAL_ID: Json = { type: 'string', description: 'external_id of the item' };

/** An operation that answered with an error. */
export class OperationRefused extends Error {
  constructor(
    readonly status: number,
    readonly body: unknown,
  ) {
    super(`The operation answered ${status}`);
  }
}

/** A key that may write but not read gets its answers without what had to be read for them. */
export function unlessForbidden(error: unknown): undefined {
  if (error instanceof OperationRefused && error.status === 403) return undefined;
  throw error;
}

type Schema = Json & { readonly properties?: Record<string, Json>; readonly required?: readonly string[] };

/** The interface names its stores and orders differently. */
const argumentOf = (name: string) => name.replace('_service_id', '_id');

const shapesOf = ({ params, query, body }: Route): Schema[] =>
  [params, query, body?.schema].map((shape) => (shape ?? {}) as Schema);

/** What an assistant is told of a tool, who may use it, and what checks its arguments. */
export function describeTool(tool: Tool, route: Route) {
  const described = {
    name: tool.name,
    description: tool.description,
    inputSchema: inputSchema(tool, route),
    annotations: { openWorldHint: false, ...(tool.hints ?? { readOnlyHint: true }) },
  };
  return { described, permission: route.permission, check: compileArguments(tool) };
}

/** The JSON Schema of a tool's arguments, from the shapes that check the operation's requests. */
function inputSchema({ takes, own = {}, requires = [] }: Tool, route: Route): Json & { type: 'object' } {
  const fields = shapesOf(route).flatMap(({ properties = {}, required = [] }) =>
    Object.entries(properties).map(([name, schema]) => ({
      name: argumentOf(name),
      schema: withoutNames(schema, []),
      isRequired: required.includes(name),
    })),
  );
  const taken = fields.filter(({ name }) => takes.includes(name));
  const required = taken.flatMap(({ name, isRequired }) => (isRequired ? name : []));
  return {
    type: 'object',
    properties: { ...Object.fromEntries(taken.map(({ name, schema }) => [name, schema])), ...own },
    required: [...new Set([...required, ...requires])],
    additionalProperties: false,
  };
}

/** Schemas are written out; a shape that holds itself is written once. */
function withoutNames(schema: unknown, within: readonly unknown[]): unknown {
  if (Array.isArray(schema)) return schema.map((entry) => withoutNames(entry, within));
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $id, ...members } = schema as Json;
  if ($id !== undefined && within.includes($id)) return { type: 'object', description: 'As above' };
  const names = $id === undefined ? within : [...within, $id];
  return Object.fromEntries(
    Object.entries(members).map(([key, member]) => [
      key,
      key === 'examples' || key === 'default' ? member : withoutNames(member, names),
    ]),
  );
}

/** Refuses arguments that the tool does not have, and checks its own; the operation checks the others. */
function compileArguments({ takes, own = {}, requires = [] }: Tool): (args: Json) => void {
  const checkedLater = Object.fromEntries([...takes, ...requires].map((name) => [name, {}]));
  const properties: Readonly<Record<string, Json>> = { ...checkedLater, ...own };
  const check = compileShape(
    Type.Unsafe<Json>({ type: 'object', properties, required: requires }),
    'refused',
  );
  return (args) => {
    const errors = new ErrorList();
    check(args, ['arguments'], errors);
    errors.throwIfAny();
  };
}

/** The request that runs an operation with those of the arguments that it takes. */
export function toRequest(route: Route, args: Json, headers: InnerRequest['headers']): InnerRequest {
  const [params = {}, query = {}, body = {}] = shapesOf(route).map(({ properties = {} }) =>
    Object.fromEntries(
      Object.keys(properties).flatMap((name) => {
        const value = args[argumentOf(name)];
        return value === undefined ? [] : [[name, value]];
      }),
    ),
  );
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => pathPart(name, params[name]));
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) =>
      value === null ? [] : [[name, asText(value)] as [string, string]],
    ),
  ).toString();
  const key = args['idempotency_key'];
  return {
    method: route.method,
    url: search === '' ? path : `${path}?${search}`,
    headers: { ...headers, ...(key === undefined ? {} : { 'idempotency-key': asText(key) }) },
    ...(route.body === undefined ? {} : { body }),
  };
}

function pathPart(name: string, value: unknown): string {
  const loc = ['path', argumentOf(name)];
  if (value === undefined || value === '')
    throw new ValidationFailed([{ loc, msg: 'Field required', type: 'missing' }]);
  if (typeof value !== 'string')
    throw new ValidationFailed([{ loc, msg: 'Input should be a valid string', type: 'string_type' }]);
  return encodeURIComponent(value.toWellFormed());
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

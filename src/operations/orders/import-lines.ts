import { ValidationFailed, type Fault } from '../../domain/faults.js';
import { parseJson } from '../../domain/json.js';
import type { OrderIds } from '../../domain/order/id.js';
import { newOrder, type NewOrder } from '../../domain/order/new-order.js';
import { ImportedOrder } from '../../domain/order/shapes.js';
import { compileBody } from '../../domain/shape/compile-shape.js';
import type { NumberedLine } from '../ndjson-lines.js';

/** Why a line is refused: what a single intake of it would have answered. */
type Refusal = string | readonly Fault[];

/** Neither a request nor a refusal: a blank line. */
interface ParsedLine {
  readonly request?: ImportedOrder;
  readonly refusal?: Refusal;
}

type PreparedLine =
  | { readonly refusal: Refusal }
  | { readonly refusal?: undefined; readonly storeKey: number; readonly order: NewOrder };

export interface LineReader {
  parse(line: NumberedLine): ParsedLine;
  /** `storeKey` is undefined where the line's store does not exist for this caller. */
  prepare(request: ImportedOrder, storeKey: number | undefined): PreparedLine;
}

export function createLineReader(orderIds: OrderIds, maxDepth: number, maxLineBytes: number): LineReader {
  const check = compileBody(ImportedOrder);
  return {
    parse({ bytes }) {
      if (bytes === undefined) return { refusal: `Line longer than ${maxLineBytes} bytes` };
      if (isBlank(bytes)) return {};
      return orRefusal(() => ({ request: check(parseJson(bytes, { maxDepth })) }));
    },
    prepare(request, storeKey) {
      if (storeKey === undefined) return { refusal: 'Store not found' };
      return orRefusal(() => ({
        storeKey,
        order: newOrder(request, { storeKey, id: orderIds(storeKey), at: Date.now() }),
      }));
    },
  };
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}

function orRefusal<T>(make: () => T): T | { readonly refusal: Refusal } {
  try {
    return make();
  } catch (error) {
    if (error instanceof ValidationFailed) return { refusal: error.faults };
    throw error;
  }
}

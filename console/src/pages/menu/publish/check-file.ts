import type { ErrorDetail, MenuConfigurationRequest } from '#sdk';
import { ValidationFailed } from '../../../../../src/support/error-details.js';
import { parseBody } from '../../../../../src/support/json.js';
import { describeError } from '../../../../../src/support/text-file.js';
import { compileConfigurationCheck } from '../../../../../src/menus/publish/check-configuration.js';
import {
  InvalidSheet,
  readDocument,
  UnreadableFile,
  type ErrorPosition,
  type FileBasis,
  type FileRemark,
  type MenuDocument,
} from './read-document.js';

/** An error with the part of the file that it lies in. */
export interface LocatedError {
  readonly message: string;
  readonly line?: number;
  /** Of a sheet, such as `F17`. */
  readonly cell?: string;
  readonly excerpt?: Excerpt;
}

interface Excerpt {
  readonly firstLine: number;
  readonly lines: readonly string[];
}

export type Judgement =
  | { readonly is: 'invalid'; readonly errors: readonly LocatedError[] }
  | {
      readonly is: 'sound';
      readonly configuration: MenuConfigurationRequest;
      /** What is sent, compressed. */
      readonly body: Uint8Array;
      readonly remarks: readonly FileRemark[];
      /** Places what the service finds beyond what can be known here. */
      readonly relocate: (errors: readonly ErrorDetail[]) => LocatedError[];
    };

/** The most that any installation can be set to; how much this one allows is the service's to say. */
const MOST_DEPTH = 512;
const ANY_NUMBER = {
  menus: Infinity,
  categories: Infinity,
  items: Infinity,
  modifier_groups: Infinity,
  modifier_items: Infinity,
};

/** Holds a file against the very checks that the service runs. */
export async function judgeFile(file: File, basis: FileBasis): Promise<Judgement> {
  try {
    const document = await readDocument(file, basis);
    const relocate = (errors: readonly ErrorDetail[]) => relocateErrors(document, errors);
    try {
      const value = parseBody(document.bytes, { maxDepth: MOST_DEPTH });
      compileConfigurationCheck(ANY_NUMBER)(value);
      const configuration = value as MenuConfigurationRequest;
      const { bytes, remarks = [] } = document;
      return { is: 'sound', configuration, body: await compress(bytes), remarks, relocate };
    } catch (error) {
      if (!(error instanceof ValidationFailed)) throw error;
      return { is: 'invalid', errors: relocate(error.errors as ErrorDetail[]) };
    }
  } catch (error) {
    if (error instanceof InvalidSheet) return { is: 'invalid', errors: error.errors };
    if (!(error instanceof UnreadableFile)) throw error;
    return { is: 'invalid', errors: [withExcerpt(error.message, error, error.text.split('\n'))] };
  }
}

/** On the way down the file; those without a place come first. */
function relocateErrors(document: MenuDocument, errors: readonly ErrorDetail[]): LocatedError[] {
  const lines = document.text?.split('\n') ?? [];
  return errors
    .map((error) => {
      const place = document.placeOf(error);
      return withExcerpt(place.message ?? describeError(error), place, lines);
    })
    .sort((one, other) => (one.line ?? 0) - (other.line ?? 0));
}

const AROUND = 2;
const LONGEST_LINE = 240;

function withExcerpt(message: string, { line, cell }: ErrorPosition, lines: readonly string[]): LocatedError {
  if (cell !== undefined) return { message, cell };
  if (line === undefined) return { message };
  const firstLine = Math.max(1, line - AROUND);
  const around = lines.slice(firstLine - 1, line + AROUND).map((text) => text.slice(0, LONGEST_LINE));
  return { message, line, excerpt: { firstLine, lines: around } };
}

async function compress(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const compressed = new Blob([bytes]).stream().pipeThrough(new CompressionStream('gzip'));
  return new Uint8Array(await new Response(compressed).arrayBuffer());
}

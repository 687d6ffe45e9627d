/** A place in a text; both count from 1, as in editors. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** Returns a function from offset to place; the text is scanned only once. */
export function createPlaces(text: string): (offset: number) => Place {
  const starts = [0];
  for (let i = text.indexOf('\n'); i !== -1; i = text.indexOf('\n', i + 1)) starts.push(i + 1);
  return (offset) => {
    const line = starts.findLastIndex((start) => start <= offset);
    return { line: line + 1, column: offset - (starts[line] ?? 0) + 1 };
  };
}

/** Why a file is neither JSON nor YAML, whatever its name; undefined if it may be. */
export function textError(text: string, bytes: Uint8Array): string | undefined {
  if (text.trim() === '') return 'is empty.';
  if (text.includes('\0')) return 'is neither JSON nor YAML, but binary.';
  return isUtf8(bytes) ? undefined : 'is not in UTF-8. Save it in UTF-8 and try again.';
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** The value of a JSON text; undefined for any other, which is for the service to explain. */
export function parseIfJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

interface FileError {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
  readonly ctx?: unknown;
}

/** `items[3].price: Field required`; no path for an error of the whole body, nor for invalid JSON, which has no parts. */
export function describeError({ loc: [, ...steps], msg, type, ctx }: FileError): string {
  const { error } = (ctx ?? {}) as { readonly error?: unknown };
  if (type === 'json_invalid') return typeof error === 'string' ? `${msg}: ${error}` : msg;
  const path = steps.map((step, i) =>
    typeof step === 'number' ? `[${step}]` : `${i === 0 ? '' : '.'}${step}`,
  );
  return steps.length === 0 ? msg : `${path.join('')}: ${msg}`;
}

/** Decides by the file name, else by the first cell. */
export function isCsv(name: string, text: string): boolean {
  if (/\.(csv|tsv)$/i.test(name)) return true;
  return !/\.(json|ya?ml)$/i.test(name) && /^\uFEFF?"?(?:sep=|(?:kind|external_id)"?[,;\t])/i.test(text);
}

/** Decides by the file name, else by the first character. */
export function isYaml(name: string, text: string): boolean {
  if (/\.ya?ml$/i.test(name)) return true;
  return !/\.json$/i.test(name) && !/^\s*[[{]/.test(text);
}

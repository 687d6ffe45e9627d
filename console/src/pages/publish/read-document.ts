import { locateInJson, type Fault } from '#sdk';

/** A menu file, and the way from a fault to its line. */
export interface MenuDocument {
  readonly name: string;
  readonly lines: readonly string[];
  /** What is sent: for JSON the very bytes of the file, so that the service judges them. */
  readonly bytes: Uint8Array;
  readonly value: unknown;
  /** Counts from 1; undefined where the fault has no place in the file. */
  lineOf(fault: Fault): number | undefined;
}

/** What keeps a file from being read at all. */
interface SyntaxFault {
  readonly line: number;
  readonly message: string;
}

export type ReadResult =
  | { readonly is: 'read'; readonly document: MenuDocument }
  | {
      readonly is: 'faulty';
      readonly name: string;
      readonly lines: readonly string[];
      readonly fault: SyntaxFault;
    };

export async function readDocument(file: File): Promise<ReadResult> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const text = new TextDecoder().decode(bytes);
  const isYaml = /\.ya?ml$/i.test(file.name) || (!/\.json$/i.test(file.name) && !/^\s*[[{]/.test(text));
  return isYaml ? readYaml(file.name, text) : readJson(file.name, text, bytes);
}

function readJson(name: string, text: string, bytes: Uint8Array): ReadResult {
  const lines = text.split('\n');
  try {
    const value: unknown = JSON.parse(text);
    return {
      is: 'read',
      document: {
        name,
        lines,
        bytes,
        value,
        lineOf: ({ loc: [place, ...steps] }) =>
          place === 'body' ? lineAt(text, locateInJson(text, steps)) : undefined,
      },
    };
  } catch (error) {
    return { is: 'faulty', name, lines, fault: toSyntaxFault(text, error as Error) };
  }
}

/** Browsers tell the place of a syntax fault only in their message, each in its own words. */
function toSyntaxFault(text: string, { message }: Error): SyntaxFault {
  const line = /line (\d+)/.exec(message)?.[1];
  const position = /position (\d+)/.exec(message)?.[1];
  if (line !== undefined) return { line: Number(line), message };
  const at = position === undefined ? text.length : Number(position);
  return { line: lineAt(text, at), message };
}

function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}

/** Aliases in a menu repeat modest parts; far more of them is a file made to explode. */
const MOST_ALIASES = 10_000;

/** The reader of YAML is large, and most files are JSON: it is loaded when the first one is dropped. */
async function readYaml(name: string, text: string): Promise<ReadResult> {
  const { isAlias, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument } = await import('yaml');
  const lines = text.split('\n');
  const counter = new LineCounter();
  const yaml = parseDocument(text, { lineCounter: counter, merge: true });
  const [error] = yaml.errors;
  if (error !== undefined) {
    const [reason = error.message] = error.message.split(' at line ');
    return {
      is: 'faulty',
      name,
      lines,
      fault: { line: counter.linePos(error.pos[0]).line, message: reason },
    };
  }
  const value: unknown = yaml.toJS({ maxAliasCount: MOST_ALIASES }) ?? null;

  const memberOf = (node: unknown, step: string | number): unknown => {
    if (isSeq(node)) return typeof step === 'number' ? node.items[step] : undefined;
    if (!isMap(node)) return undefined;
    return node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step))?.value;
  };
  const lineOf = ({ loc: [place, ...steps] }: Fault) => {
    if (place !== 'body') return undefined;
    let node: unknown = yaml.contents;
    let at = 0;
    for (const step of steps) {
      node = memberOf(isAlias(node) ? node.resolve(yaml) : node, step);
      if (!isNode(node)) break;
      at = node.range?.[0] ?? at;
    }
    return counter.linePos(at).line;
  };
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  return { is: 'read', document: { name, lines, bytes, value, lineOf } };
}

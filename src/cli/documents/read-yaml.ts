import type { Fault } from '#sdk';
import {
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  type Document as Yaml,
} from 'yaml';
import { CommandFailed, EXIT } from '../exit-codes.js';
import type { Place } from '../faults.js';
import type { Document } from './document.js';

/** Aliases in a menu repeat modest parts; far more of them is a file made to explode. */
const MOST_ALIASES = 10_000;

export function readYaml(name: string, text: string): Document {
  const lines = new LineCounter();
  const yaml = parseDocument(text, { lineCounter: lines, merge: true });
  const placeOf = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const [error] = yaml.errors;
  if (error !== undefined) {
    const { line, column } = placeOf(error.pos[0]);
    const [reason] = error.message.split(' at line ');
    throw new CommandFailed(EXIT.refused, `${name}:${line}:${column}: ${reason ?? error.message}`);
  }
  const value: unknown = yaml.toJS({ maxAliasCount: MOST_ALIASES });
  return {
    name,
    bytes: new TextEncoder().encode(JSON.stringify(value ?? null)),
    locate: ({ loc: [place, ...steps] }: Fault) =>
      place === 'body' ? placeOf(locateInYaml(yaml, steps)) : undefined,
  };
}

/** Where a path leads: its deepest part that is there. */
function locateInYaml(yaml: Yaml, path: readonly (string | number)[]): number {
  let node: unknown = yaml.contents;
  let at = isNode(node) ? (node.range?.[0] ?? 0) : 0;
  for (const step of path) {
    if (isAlias(node)) node = node.resolve(yaml);
    node = memberOf(node, step);
    if (!isNode(node)) return at;
    at = node.range?.[0] ?? at;
  }
  return at;
}

function memberOf(node: unknown, step: string | number): unknown {
  if (isSeq(node)) return typeof step === 'number' ? node.items[step] : undefined;
  if (!isMap(node)) return undefined;
  return node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step))?.value;
}

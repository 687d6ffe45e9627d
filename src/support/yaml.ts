import { isAlias, isMap, isNode, isScalar, isSeq, parseDocument, type Document } from 'yaml';

export class YamlSyntaxError extends Error {
  constructor(
    readonly offset: number,
    reason: string,
  ) {
    super(reason);
  }
}

/** More aliases than any real menu has: a larger number is an expansion attack. */
const MOST_ALIASES = 10_000;

export function readYaml(text: string) {
  const yaml = parseDocument(text, { merge: true });
  const [error] = yaml.errors;
  if (error !== undefined) {
    const [reason = ''] = error.message.split(' at line ');
    throw new YamlSyntaxError(error.pos[0], reason);
  }
  return {
    /** null for an empty text. */
    value: (yaml.toJS({ maxAliasCount: MOST_ALIASES }) ?? null) as unknown,
    /** The place of a path in the text, or of its deepest existing part. */
    locate: (path: readonly (string | number)[]) => locateIn(yaml, path),
  };
}

function locateIn(yaml: Document, path: readonly (string | number)[]): number {
  let node: unknown = yaml.contents;
  let offset = isNode(node) ? (node.range?.[0] ?? 0) : 0;
  for (const step of path) {
    if (isAlias(node)) node = node.resolve(yaml);
    node = memberOf(node, step);
    if (!isNode(node)) return offset;
    offset = node.range?.[0] ?? offset;
  }
  return offset;
}

function memberOf(node: unknown, step: string | number): unknown {
  if (isSeq(node)) return typeof step === 'number' ? node.items[step] : undefined;
  if (!isMap(node)) return undefined;
  return node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step))?.value;
}

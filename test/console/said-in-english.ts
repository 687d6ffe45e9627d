import { readFileSync } from 'node:fs';
import ts from 'typescript';

/** Where a source of the console speaks, and whether a phrase of the language files stands there. */
export interface Said {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

/** The names of attributes and properties that hold words for people. */
const SPEAKING =
  /^(?:label|title|hint|placeholder|alt|aria-label|data-label|add|afterTitle|beforeTitle|busy|error|lead|none|submit|text|unit)$/;

/** What stays as it is in every language. */
const UNTOUCHED = new Set(['Comanda', 'demo.env', 'operator.key', 'https://till.example/comanda']);

/** A call of `t` or `tx`: the keys it can be given, and the names of its values, where they stand there. */
export interface Call {
  readonly keys: readonly string[];
  readonly values: readonly string[] | undefined;
}

export function callsOf(file: string): Call[] {
  const calls: Call[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && isTranslator(node.expression)) {
      const [key, values] = node.arguments;
      calls.push({ keys: key === undefined ? [] : textsIn(key), values: namesIn(values) });
    }
    ts.forEachChild(node, visit);
  };
  visit(parse(file));
  return calls;
}

function textsIn(node: ts.Node): string[] {
  if (ts.isConditionalExpression(node)) return [...textsIn(node.whenTrue), ...textsIn(node.whenFalse)];
  return ts.isStringLiteralLike(node) ? [node.text] : [];
}

function namesIn(values: ts.Node | undefined): string[] | undefined {
  if (values === undefined) return [];
  if (!ts.isObjectLiteralExpression(values) || values.properties.some(ts.isSpreadAssignment))
    return undefined;
  return values.properties.flatMap(({ name }) => (name === undefined ? [] : [name.getText()]));
}

/** Texts for people that no `t` stands around: they would stay in English whatever the language. */
export function untranslated(file: string): Said[] {
  return collect(file, (node) => {
    if (UNTOUCHED.has(textOf(node).trim())) return [];
    if (ts.isJsxText(node)) return /\p{L}/u.test(node.text) ? [node] : [];
    if (ts.isJsxAttribute(node)) {
      const value = node.initializer;
      const isSaid = SPEAKING.test(node.name.getText());
      if (!isSaid || value === undefined || !ts.isStringLiteral(value) || UNTOUCHED.has(value.text))
        return [];
      return isWords(value.text) ? [value] : [];
    }
    const isText = ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
    if (!isText || isInsideT(node) || ts.isJsxAttribute(node.parent)) return [];
    return isSentence(textOf(node)) && !isForPrograms(node) ? [node] : [];
  });
}

function collect(file: string, pick: (node: ts.Node) => readonly ts.Node[]): Said[] {
  const source = parse(file);
  const found: Said[] = [];
  const visit = (node: ts.Node): void => {
    for (const picked of pick(node)) {
      const { line } = source.getLineAndCharacterOfPosition(picked.getStart());
      found.push({ file, line: line + 1, text: textOf(picked).trim() });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function parse(file: string): ts.SourceFile {
  return ts.createSourceFile(
    file,
    readFileSync(file, 'utf8'),
    ts.ScriptTarget.Latest,
    true,
    file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
  );
}

/** Of a template what stands between its values. */
function textOf(node: ts.Node): string {
  if (ts.isTemplateExpression(node))
    return [node.head, ...node.templateSpans.map(({ literal }) => literal)].map(({ text }) => text).join('…');
  return ts.isStringLiteralLike(node) || ts.isJsxText(node) ? node.text : node.getText();
}

function isTranslator(node: ts.Node): boolean {
  return ts.isIdentifier(node) && (node.text === 't' || node.text === 'tx');
}

function isInsideT(node: ts.Node): boolean {
  return ts.isCallExpression(node.parent) && isTranslator(node.parent.expression);
}

function isWords(text: string): boolean {
  return /\p{L}{2}/u.test(text);
}

/** Two words, or one that begins with a capital, as names of buttons do. */
function isSentence(text: string): boolean {
  return /\p{L}{2,}[,.:]? \p{L}/u.test(text) || /^\p{Lu}\p{Ll}{2,}$/u.test(text);
}

/** Class names, types, imports, comparisons and keys of the browser. */
function isForPrograms(node: ts.Node): boolean {
  for (let up = node.parent; ; up = up.parent) {
    if (ts.isJsxAttribute(up)) return /^(?:class|d|viewBox|autocomplete|sizes)$/.test(up.name.getText());
    if (ts.isImportDeclaration(up) || ts.isLiteralTypeNode(up) || ts.isCaseClause(up)) return true;
    if (ts.isBinaryExpression(up)) return /^(?:===|!==)$/.test(up.operatorToken.getText());
    if (!ts.isExpression(up) && !ts.isJsxExpression(up)) return false;
    if (ts.isCallExpression(up) || ts.isArrowFunction(up)) return false;
  }
}

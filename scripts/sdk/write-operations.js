import { comment, objectOf, toType } from './write-types.js';

/** The signature of every operation, and the table by which the client carries them out. */
export function writeOperations(documents) {
  const operations = documents.flatMap(readOperations);
  const names = operations.map(({ name }) => name);
  const repeated = names.find((name, at) => names.indexOf(name) !== at);
  if (repeated !== undefined) throw new Error(`Two operations are called ${repeated}.`);
  const queries = operations.filter(({ query }) => query !== undefined).map(writeQuery);
  const signatures = operations.map(writeSignature);
  const rows = operations.map(writeRow);
  return [
    ...queries,
    `export interface Operations {\n${signatures.join('\n')}}\n`,
    `export const OPERATIONS: Record<keyof Operations, OperationSpec> = {\n${rows.join('')}};\n`,
  ].join('\n');
}

function readOperations({ paths }) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => readOperation(path, method, operation)),
  );
}

function readOperation(path, method, { operationId, summary, description, parameters = [], ...rest }) {
  const ofPlace = (place) => parameters.filter((parameter) => parameter.in === place);
  const query = ofPlace('query');
  return {
    name: camelCase(operationId),
    text: [summary, description].filter((part) => part !== undefined).join('. '),
    method: method.toUpperCase(),
    path,
    pathParameters: ofPlace('path'),
    query: query.length === 0 ? undefined : query,
    isIdempotencyKeyed: ofPlace('header').some(({ name }) => name.toLowerCase() === 'idempotency-key'),
    body: readContent(rest.requestBody?.content),
    isBodyRequired: rest.requestBody?.required === true,
    answer: readAnswer(rest.responses),
  };
}

function readAnswer(responses) {
  const status = Object.keys(responses).find((code) => code.startsWith('2'));
  const answer = readContent(responses[status]?.content);
  return answer && { ...answer, mayBeEmpty: responses['204'] !== undefined };
}

function readContent(content) {
  if (content === undefined) return undefined;
  const [[contentType, { schema = {} }]] = Object.entries(content);
  return { contentType, schema };
}

function writeQuery({ name, query }) {
  const properties = Object.fromEntries(
    query.map(({ name: parameter, description, schema }) => [parameter, { description, ...schema }]),
  );
  const required = query.filter((parameter) => parameter.required).map((parameter) => parameter.name);
  return `export interface ${queryName(name)} ${objectOf({ properties, required }, '')}\n`;
}

function writeSignature(operation) {
  const { name, text, pathParameters, body, isBodyRequired, query } = operation;
  const isQueryRequired = query?.some(({ required }) => required) === true;
  const parameters = [
    ...pathParameters.map((parameter) => `${camelCase(parameter.name)}: ${toType(parameter.schema)}`),
    ...(body === undefined ? [] : [`body${isBodyRequired ? '' : '?'}: ${bodyType(body)}`]),
    ...(query === undefined ? [] : [`query${isQueryRequired ? '' : '?'}: ${queryName(name)}`]),
    'options?: CallOptions',
  ];
  return `${comment(text, '  ')}  readonly ${name}: (${parameters.join(', ')}) => Promise<${responseType(operation)}>;\n`;
}

function bodyType({ contentType, schema }) {
  return isJson(contentType) ? toType(schema, '  ') : 'StreamedBody';
}

function responseType({ answer }) {
  if (answer === undefined) return 'void';
  if (isJson(answer.contentType))
    return `${toType(answer.schema, '  ')}${answer.mayBeEmpty ? ' | undefined' : ''}`;
  return isLines(answer.contentType) ? `Lines<${toType(answer.schema, '  ')}>` : 'ByteStream';
}

function writeRow({ name, method, path, body, query, isIdempotencyKeyed, answer }) {
  const fields = [
    `method: '${method}'`,
    `path: '${path}'`,
    ...(body === undefined ? [] : [`body: '${body.contentType}'`]),
    ...(query === undefined ? [] : ['hasQuery: true']),
    ...(isIdempotencyKeyed ? ['isIdempotencyKeyed: true'] : []),
    `answer: '${answerKind(answer)}'`,
  ];
  return `  ${name}: { ${fields.join(', ')} },\n`;
}

function answerKind(answer) {
  if (answer === undefined) return 'nothing';
  if (isJson(answer.contentType)) return 'json';
  return isLines(answer.contentType) ? 'lines' : 'bytes';
}

const isJson = (contentType) => contentType === 'application/json';
const isLines = (contentType) => contentType === 'application/x-ndjson';

const camelCase = (name) => name.replace(/_(\w)/g, (_match, letter) => letter.toUpperCase());
const queryName = (name) => `${name[0].toUpperCase()}${name.slice(1)}Query`;

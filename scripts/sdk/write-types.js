/** TypeScript for the JSON Schema subset that our own documents use; anything else is an error, not an `unknown`. */
export function toType(schema, indent = '') {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants !== undefined) return variants.map((variant) => toType(variant, indent)).join(' | ');
  if (Array.isArray(schema.type)) return schema.type.map((type) => toType({ ...schema, type })).join(' | ');
  switch (schema.type) {
    case undefined:
      return 'unknown';
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return arrayOf(toType(schema.items ?? {}, indent));
    case 'object':
      return schema.properties === undefined ? mapOf(schema, indent) : objectOf(schema, indent);
    default:
      throw new Error(`No TypeScript for ${JSON.stringify(schema)}`);
  }
}

function arrayOf(element) {
  return /^[\w.]+$/.test(element) ? `${element}[]` : `(${element})[]`;
}

function mapOf({ additionalProperties }, indent) {
  const member = typeof additionalProperties === 'object' ? toType(additionalProperties, indent) : 'unknown';
  return `Record<string, ${member}>`;
}

export function objectOf({ properties, required = [] }, indent) {
  const inner = `${indent}  `;
  const members = Object.entries(properties).map(([name, schema]) => {
    const isRequired = required.includes(name);
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
    return `${comment(schema.description, inner)}${inner}${key}${isRequired ? ': ' : '?: undefined | '}${toType(schema, inner)};\n`;
  });
  return members.length === 0 ? 'Record<string, unknown>' : `{\n${members.join('')}${indent}}`;
}

export function comment(text, indent = '') {
  return text === undefined ? '' : `${indent}/** ${text.replaceAll('*/', '* /')} */\n`;
}

/** One declaration for each component; the two surfaces must mean the same by the same name. */
export function writeTypes(documents) {
  const declarations = new Map();
  for (const document of documents) {
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      const declaration = declare(name, schema);
      if ((declarations.get(name) ?? declaration) !== declaration)
        throw new Error(`The two documents differ about ${name}.`);
      declarations.set(name, declaration);
    }
  }
  const sorted = [...declarations].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, declaration]) => declaration);
  return { names: [...declarations.keys()], text: sorted.join('\n') };
}

function declare(name, schema) {
  return Object.keys(schema.properties ?? {}).length === 0
    ? `${comment(schema.description)}export type ${name} = ${toType(schema)};\n`
    : `${comment(schema.description)}export interface ${name} ${objectOf(schema, '')}\n`;
}

/** The values that the fields of requests and queries take, where a document lists them: `VALUES.OrderPatch.reason`. */
export function writeValues(documents) {
  const lists = new Map();
  for (const { paths, components } of documents)
    for (const operation of Object.values(paths).flatMap(Object.values)) {
      const query = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query');
      collect(
        queryName(operation.operationId),
        Object.fromEntries(query.map(({ name, schema }) => [name, schema])),
      );
      for (const { schema } of Object.values(operation.requestBody?.content ?? {}))
        visit(schema, components.schemas);
    }

  function visit(schema, schemas) {
    const name = schema?.$ref?.split('/').at(-1);
    if (name === undefined || lists.has(name)) return;
    collect(name, schemas[name].properties ?? {});
    for (const property of Object.values(schemas[name].properties ?? {})) visit(property, schemas);
  }

  function collect(name, properties) {
    const listed = Object.entries(properties).flatMap(([field, schema]) => {
      const values = valuesOf(schema);
      return values === undefined ? [] : [`${field}: ${JSON.stringify(values)}`];
    });
    lists.set(name, listed);
  }

  const rows = [...lists].filter(([, listed]) => listed.length > 0).sort(([a], [b]) => (a < b ? -1 : 1));
  const text = rows.map(([name, listed]) => `  ${name}: { ${listed.join(', ')} },\n`);
  return `export const VALUES = {\n${text.join('')}} as const;\n`;
}

function valuesOf(schema) {
  if (schema.enum !== undefined) return schema.enum.filter((value) => value !== null);
  if (schema.items !== undefined) return valuesOf(schema.items);
  const variants = schema.anyOf ?? schema.oneOf ?? [];
  const listed = variants.map(valuesOf).filter((values) => values !== undefined);
  if (listed.length > 0) return listed.flat();
  const constants = variants.flatMap((variant) => (variant.const === undefined ? [] : [variant.const]));
  return constants.length > 0 && constants.length === variants.length ? constants : undefined;
}

const queryName = (operationId) =>
  `${operationId.replace(/(?:^|_)(\w)/g, (_match, letter) => letter.toUpperCase())}Query`;

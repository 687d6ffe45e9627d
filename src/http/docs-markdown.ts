/** The docs pages for programs that read text. */

export interface OpenApi {
  readonly info: { readonly title: string; readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

interface Operation {
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly description?: string;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: unknown }>> };
}

const FOR_AGENTS = `
Assistants connect by the Model Context Protocol: POST /mcp with a key (x-api-key, or Authorization: Bearer), or POST
/guest/mcp/{code} at a place, without one.
`;

export function listPages(
  pages: readonly { readonly path: string; readonly title: string; readonly document: string }[],
  servesAgents: boolean,
): string {
  const list = pages.map(({ path, title, document }) => `- [${title}](${path}.md), as OpenAPI: ${document}`);
  return `# Comanda

> A restaurant ordering service: menus, stores and orders behind one HTTP API.
${servesAgents ? FOR_AGENTS : ''}
## API

${list.join('\n')}
`;
}

/** Each operation, what it takes, and an example. */
export function toMarkdown({ info, paths }: OpenApi, document: string): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const { summary, description = '', parameters = [], requestBody } = operation;
      const taken = parameters
        .map((one) => `- \`${one.name}\` (${one.in}): ${one.description ?? ''}`)
        .join('\n');
      const [body] = Object.values(requestBody?.content ?? {});
      const example =
        body === undefined ? '' : `\`\`\`json\n${JSON.stringify(body.example, undefined, 2)}\n\`\`\``;
      const parts = [
        `## ${method.toUpperCase()} ${path}`,
        `${summary}. ${description}`.trim(),
        taken,
        example,
      ];
      return parts.filter((part) => part !== '').join('\n\n');
    }),
  );
  const head = `# ${info.title}\n\n${info.description}\n\nThe shapes of requests and responses: ${document}`;
  return `${[head, ...operations].join('\n\n')}\n`;
}

import { randomBytes } from 'node:crypto';
import { memoize } from '../support/memoize.js';
import { createPageFiles } from './page-files.js';
import { jsonText, type Response } from './response.js';
import { listPages, toMarkdown, type OpenApi } from './docs-markdown.js';
import type { Responder } from './router.js';

export interface DocsPage {
  readonly path: string;
  readonly title: string;
  /** Where the OpenAPI document of this page is served. */
  readonly document: string;
  /** What the other pages call it. */
  readonly label: string;
}

const SCRIPT_PATH = '/docs/reference.js';

/**
 * The OpenAPI documents, described by their paths, a page for each to read it on and the same as Markdown, the one script behind the
 * pages, and /llms.txt, which names them all for programs that read text.
 */
export function docsResponders(
  describe: Readonly<Record<string, () => object>>,
  pages: readonly DocsPage[],
  servesAgents: boolean,
): Responder[] {
  // Made when first asked for: most processes never are, and all of them start sooner.
  const textOf = memoize(pages.length, (path) => JSON.stringify(describe[path]?.()));
  const markdownOf = (path: string) => toMarkdown(JSON.parse(textOf(path)) as OpenApi, path);
  const show = createPageFiles({ folder: 'docs', name: 'The docs page' });
  return [
    ...pages.flatMap((page) => [
      { method: 'GET', path: page.document, respond: () => jsonText(textOf(page.document)) },
      { method: 'GET', path: page.path, respond: () => showPage(page, pages) },
      { method: 'GET', path: `${page.path}.md`, respond: () => showText(markdownOf(page.document)) },
    ]),
    { method: 'GET', path: '/llms.txt', respond: () => showText(listPages(pages, servesAgents)) },
    { method: 'GET', path: SCRIPT_PATH, respond: show(() => 'reference.js') },
  ];
}

function showPage(page: DocsPage, pages: readonly DocsPage[]): Response {
  const nonce = randomBytes(18).toString('base64');
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy(nonce),
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  };
  return { status: 200, headers: Object.entries(headers).flat(), body: render(page, pages, nonce) };
}

/** Allows only this origin, and only scripts and styles with the nonce of this response. */
function policy(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    // Attributes alone: they run nothing, load nothing here, and the reference sets them throughout.
    "style-src-attr 'unsafe-inline'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** The reference makes some of its style elements without the nonce that the policy asks of every one. */
const STYLES_WITH_NONCE = `
      const { nonce } = document.currentScript
      const createElement = document.createElement.bind(document)
      document.createElement = (name, options) => {
        const element = createElement(name, options)
        if (element instanceof HTMLStyleElement) element.nonce = nonce
        return element
      }
    `;

function render(page: DocsPage, pages: readonly DocsPage[], nonce: string): string {
  const { title, document } = page;
  const others = pages.filter((other) => other !== page);
  const settings = {
    url: document,
    withDefaultFonts: false,
    telemetry: false,
    agent: { disabled: true, hideAddApi: true },
    mcp: { disabled: true },
    hideClientButton: true,
    showDeveloperTools: 'never',
    documentDownloadType: 'json',
    authentication: { preferredSecurityScheme: 'APIKeyHeader' },
    defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
    defaultOpenAllTags: true,
    metaData: { title },
  };
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta property="csp-nonce" content="${nonce}" />
    <title>${title}</title>
    <link rel="icon" href="data:," />
    <style nonce="${nonce}">
      body { margin: 0; }
      .surfaces { padding: 6px 16px; font: 13px/20px system-ui, sans-serif; text-align: right; }
    </style>
  </head>
  <body>
    <noscript>This page needs JavaScript. The OpenAPI document itself: <a href="${document}">${document}</a></noscript>
    <nav class="surfaces">${others.map(({ path, label }) => `<a href="${path}">${label}</a>`).join(' · ')}</nav>
    <main id="reference"></main>
    <script nonce="${nonce}">${STYLES_WITH_NONCE}</script>
    <script nonce="${nonce}" src="${SCRIPT_PATH}"></script>
    <script nonce="${nonce}">Scalar.createApiReference('#reference', ${JSON.stringify(settings)})</script>
  </body>
</html>
`;
}

function showText(text: string): Response {
  const headers = ['content-type', 'text/markdown; charset=utf-8', 'x-content-type-options', 'nosniff'];
  return { status: 200, headers: [...headers, 'cache-control', 'no-cache'], body: text };
}

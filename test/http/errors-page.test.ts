import { readdirSync, readFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { expect, it } from 'vitest';
import { DESCRIBED_ERRORS } from './described-errors.js';

const page = new URL('../../docs/errors.md', import.meta.url).pathname;
const src = new URL('../../src/', import.meta.url).pathname;

/** The page as the code has it. `npx vitest run test/http/errors-page.test.ts --update` writes it. */
async function errorsPage(): Promise<string> {
  const rows = Object.entries(DESCRIBED_ERRORS).map(
    ([type, { msg, where, remedy }]) => `| \`${type}\` | ${msg} | ${where} | ${remedy} |`,
  );
  const text = `# Errors

Every error is \`{"detail": …}\`. A 422 lists what is wrong: \`loc\` is the place, \`type\` says what it is, \`msg\` says it in words. The types
never change their meaning; messages may become clearer. Other statuses have a sentence; see
[Read errors](integrator-guide.md#read-errors).

| \`type\` | \`msg\` | where | what helps |
| --- | --- | --- | --- |
${rows.join('\n')}

… stands for names and numbers. This page is made from \`test/http/described-errors.ts\`.
`;
  return format(text, { ...(await resolveConfig(page)), parser: 'markdown' });
}

it('has every type of error with its message, place and remedy, as docs/errors.md', async () => {
  await expect(await errorsPage()).toMatchFileSnapshot(page);
});

it('says what the code says', () => {
  const code = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('error-types.ts'))
    .map((path) => readFileSync(src + path, 'utf8'))
    .join('\n');
  const isSaid = (type: string) => code.includes(`'${type}'`) || type.endsWith('_mismatch');
  const wrong = Object.entries(DESCRIBED_ERRORS).flatMap(([type, { msg }]) => {
    const parts = msg.split('…').map((part) => part.trim());
    const missing = parts.filter((part) => part.length > 3 && !code.includes(part));
    return isSaid(type) && missing.length === 0 ? [] : [[type, missing]];
  });
  expect(wrong).toEqual([]);
});

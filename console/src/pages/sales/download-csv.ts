import { client } from '../../data/client.js';
import type { Period } from './period.js';

/** Saves the rows of the table as a file of the browser. */
export async function downloadCsv(storeId: string, { from, to, by }: Period): Promise<void> {
  const path = `/manage/v1/stores/${storeId}/sales?${new URLSearchParams({ from, to, by }).toString()}`;
  const { body } = await client.request({ path, headers: { accept: 'text/csv' }, answer: 'bytes' });
  const bytes = await new Response(body as ReadableStream).blob();
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([bytes], { type: 'text/csv' }));
  link.download = `sales-by-${by}-${from}-${to}.csv`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

import type { ByteStream } from '#sdk';

/** The text of each event of a stream as it arrives, and a sign of life for everything else that comes. */
export async function readEvents(
  bytes: ByteStream,
  { onEvent, onLife }: { readonly onEvent: (data: string) => void; readonly onLife: () => void },
): Promise<void> {
  const reader = bytes.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      onLife();
      const blocks = (rest + decoder.decode(value, { stream: true })).split(/\r?\n\r?\n/);
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const data = block.split(/\r?\n/).filter((line) => line.startsWith('data:'));
        if (data.length > 0) onEvent(data.map((line) => line.slice(5).trimStart()).join('\n'));
      }
    }
  } finally {
    await reader.cancel();
  }
}

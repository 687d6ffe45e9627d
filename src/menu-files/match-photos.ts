interface NamedItem {
  readonly external_id: string;
  readonly name?: { readonly translations: Readonly<Record<string, string>> } | undefined;
}

const ENDING = /\.(?:jpe?g|png|webp|gif|heic|heif|avif|bmp)$/i;

/** Finds the item that a picture is named after: its external_id, or its name in any language, if only one item has that. */
export function createPhotoMatch(items: Iterable<NamedItem>): (fileName: string) => string | undefined {
  const ids = new Set<string>();
  const byName = new Map<string, Set<string>>();
  for (const { external_id: id, name } of items) {
    ids.add(id);
    for (const text of [id, ...Object.values(name?.translations ?? {})]) {
      const known = byName.get(fold(text)) ?? new Set();
      byName.set(fold(text), known.add(id));
    }
  }
  return (fileName) => {
    const base = nameOfFile(fileName);
    if (ids.has(base)) return base;
    const [found, ...others] = byName.get(fold(base)) ?? [];
    return others.length === 0 ? found : undefined;
  };
}

/** Without folders and ending; characters that files cannot have are percent-encoded. */
function nameOfFile(fileName: string): string {
  const base = (fileName.split(/[/\\]/).at(-1) ?? '').replace(ENDING, '');
  try {
    return decodeURIComponent(base);
  } catch {
    return base;
  }
}

/** Without regard to capitals, accents and what stands between the words. */
function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase();
}

/** Where in a text something stands; both count from 1, as editors do. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** Tells the place of an offset; a large text is looked through once, however many places are asked for. */
export function createPlaces(text: string): (offset: number) => Place {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let [line, beyond] = [0, starts.length];
    while (beyond - line > 1) {
      const middle = Math.floor((line + beyond) / 2);
      if ((starts[middle] ?? 0) <= offset) line = middle;
      else beyond = middle;
    }
    return { line: line + 1, column: offset - (starts[line] ?? 0) + 1 };
  };
}

/** What keeps a file from being one of JSON or YAML, whatever its name says; undefined where nothing does. */
export function textFault(text: string): string | undefined {
  if (text.trim() === '') return 'is empty.';
  return text.includes('\0') ? 'is neither JSON nor YAML, but binary.' : undefined;
}

/** By its name; where that says nothing, by how it begins. */
export function isYaml(name: string, text: string): boolean {
  if (/\.ya?ml$/i.test(name)) return true;
  return !/\.json$/i.test(name) && !/^\s*[[{]/.test(text);
}

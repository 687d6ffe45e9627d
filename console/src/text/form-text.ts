/** What was typed into a field of a form, without the space around it. */
export function formText(data: FormData, name: string): string {
  const value = data.get(name);
  return typeof value === 'string' ? value.trim() : '';
}

/** The number in a field, or undefined where nothing is typed. */
export function formNumber(data: FormData, name: string): number | undefined {
  const text = formText(data, name);
  return text === '' ? undefined : Number(text);
}

/** The text as it was, where a textarea shows nothing else; otherwise what was typed, undefined for nothing. */
export function typedLines(typed: string, before: string | undefined): string | undefined {
  return toLines(typed) === toLines(before ?? '') ? before : toLines(typed) || undefined;
}

function toLines(text: string): string {
  return text.replace(/\r\n?/g, '\n').trim();
}

/** Likewise of an input, which shows no line breaks. */
export function typedLine(typed: string, before: string | undefined): string | undefined {
  return typed.trim() === (before ?? '').replace(/[\r\n]/g, '').trim() ? before : typed.trim() || undefined;
}

/** For a search: without regard to capitals, accents, and blanks around it. */
export function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim();
}

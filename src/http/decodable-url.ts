const ESCAPES = /(?:%[0-9a-f]{2})+|%/gi;
const REPLACEMENT = '%EF%BF%BD';

/** An escape that is no UTF-8 becomes U+FFFD: no resource has such an id, so it is simply not found. */
export function toDecodableUrl(url: string): string {
  if (!url.includes('%') || isDecodable(url)) return url;
  return url.replace(ESCAPES, (escape) => (isDecodable(escape) ? escape : REPLACEMENT));
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

const ESCAPES = /(?:%[0-9a-f]{2})+|%/gi;
const REPLACEMENT = '%EF%BF%BD';

/** An escape that is no UTF-8 becomes U+FFFD, which no resource has in its id; a `%` that begins no escape stands for itself. */
export function toDecodableUrl(url: string): string {
  if (!url.includes('%') || isDecodable(url)) return url;
  return url.replace(ESCAPES, (escape) => {
    if (escape === '%') return '%25';
    return isDecodable(escape) ? escape : REPLACEMENT;
  });
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

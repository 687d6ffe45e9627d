/** Tells the present second as in a Date header; to write it out takes longer than all the rest of a short answer's head. */
export function createHttpDate(): () => string {
  let text = '';
  let until = 0;
  return () => {
    const now = Date.now();
    if (now >= until || now < until - 1000) {
      text = new Date(now).toUTCString();
      until = now - (now % 1000) + 1000;
    }
    return text;
  };
}

export interface RetryOptions {
  /** How often a request is sent again after 429 or 503; 0 switches it off. */
  readonly retries: number;
  /** The longest Retry-After to wait for. */
  readonly longestWaitSeconds: number;
}

const FIRST_WAIT_SECONDS = 0.25;

/**
 * Whether a refused request may be sent again. A 429 is sent before anything is done. After any other refusal, the method
 * must be idempotent, or the request must have an Idempotency-Key.
 */
export function mayRepeat(status: number, method: string, headers: Headers): boolean {
  return status === 429 || isRepeatable(method, headers);
}

function isRepeatable(method: string, headers: Headers): boolean {
  return ['GET', 'HEAD', 'PUT', 'DELETE'].includes(method) || headers.has('idempotency-key');
}

/** How long to wait before the next try, or undefined when there should be none. */
export function secondsToWait(
  answer: { readonly status: number; readonly headers: Headers },
  tries: number,
  { retries, longestWaitSeconds }: RetryOptions,
): number | undefined {
  if ((answer.status !== 429 && answer.status !== 503) || tries > retries) return undefined;
  const asked = retryAfterSeconds(answer.headers);
  if (asked !== undefined) return asked <= longestWaitSeconds ? asked : undefined;
  // Half fixed, half by chance, so that clients that were refused together do not come back together.
  const wait = FIRST_WAIT_SECONDS * 2 ** (tries - 1) * (0.5 + Math.random() / 2);
  return Math.min(wait, longestWaitSeconds);
}

/** `Retry-After` in seconds, given as a number or as a date. */
export function retryAfterSeconds(headers: Headers): number | undefined {
  const text = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  const moment = Date.parse(text);
  return Number.isNaN(moment) ? undefined : Math.max(0, (moment - Date.now()) / 1000);
}

export function wait(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, seconds * 1000);
    if (signal?.aborted === true) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}

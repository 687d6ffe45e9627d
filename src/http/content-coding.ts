/** Content codings that responses are offered in, the preferred one first. */
export const CODINGS = ['br', 'gzip', 'identity'] as const;
export type Coding = (typeof CODINGS)[number];

/** The bytes of a response: held as a whole, or made chunk by chunk each time they are sent. */
export type Body = Buffer | ChunkedBody;

interface ChunkedBody {
  /** Undefined if it is not known before the end. */
  readonly length?: number;
  /** Memory that the source of the chunks takes. */
  readonly heldBytes: number;
  readonly chunks: () => Iterable<Buffer> | AsyncIterable<Buffer>;
}

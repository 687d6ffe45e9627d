import type { Fault } from '#sdk';
import type { Place } from '../../domain/text-file.js';

/** A JSON or YAML file, as the JSON bytes to send, and able to say where a fault of them lies in it. */
export interface Document {
  readonly name: string;
  readonly bytes: Uint8Array;
  locate(fault: Fault): Place | undefined;
}

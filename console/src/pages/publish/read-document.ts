import { createJsonLocator, type Fault } from '#sdk';
import { createPlaces, isYaml, textFault } from '../../../../src/domain/text-file.js';

/** A menu file, as the JSON that is sent, and the way from a fault to its line. */
export interface MenuDocument {
  /** Of JSON the very bytes of the file. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly text: string;
  /** Counts from 1; undefined where the fault has no place in the file. */
  lineOf(fault: Fault): number | undefined;
}

/** What keeps a file from being read at all. */
export class UnreadableFile extends Error {
  constructor(
    message: string,
    readonly line?: number,
    readonly text = '',
  ) {
    super(message);
  }
}

/** Far more than the service takes. */
const MOST_MIB = 256;

export async function readDocument(file: File): Promise<MenuDocument> {
  if (file.size > MOST_MIB * 1024 * 1024) throw new UnreadableFile(`It is larger than ${MOST_MIB} MiB.`);
  const bytes = new Uint8Array(await file.arrayBuffer());
  const text = new TextDecoder().decode(bytes);
  const fault = textFault(text);
  if (fault !== undefined) throw new UnreadableFile(`It ${fault}`);
  return isYaml(file.name, text) ? fromYaml(text) : fromJson(text, bytes);
}

function fromJson(text: string, bytes: Uint8Array<ArrayBuffer>): MenuDocument {
  const locate = createJsonLocator(text);
  const placeAt = createPlaces(text);
  return {
    bytes,
    text,
    lineOf: (fault) => {
      const [place, ...steps] = fault.loc;
      if (place !== 'body') return undefined;
      // What cannot be read has no parts to go by: its place comes with the fault.
      if (fault.type === 'json_invalid') return (fault as Fault & { ctx?: { line?: number } }).ctx?.line;
      return placeAt(locate(steps)).line;
    },
  };
}

/** The reader of YAML is large, and most files are JSON: it is loaded when the first one is dropped. */
async function fromYaml(text: string): Promise<MenuDocument> {
  const { readYaml, YamlSyntaxError } = await import('../../../../src/domain/yaml.js');
  const placeAt = createPlaces(text);
  try {
    const { value, locate } = readYaml(text);
    return {
      bytes: new TextEncoder().encode(JSON.stringify(value)),
      text,
      lineOf: ({ loc: [place, ...steps] }) => (place === 'body' ? placeAt(locate(steps)).line : undefined),
    };
  } catch (error) {
    if (!(error instanceof YamlSyntaxError)) throw error;
    throw new UnreadableFile(error.message, placeAt(error.offset).line, text);
  }
}

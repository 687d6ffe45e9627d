import { Type, type Static } from '../support/shape/type.js';
import { valueError, type ValidationFailed } from '../support/error-details.js';
import { MapOf, NamedShape } from '../support/shape/common-shapes.js';

/**
 * An archive is lines of JSON: one that says what it is, then for each table a line that opens its section and a line
 * for each row, then one that closes the archive with the number of rows and the SHA-256 of every byte before it.
 * `table` and `end` are reserved words of SQL, so no row begins like a line that opens or closes.
 */
const FORMATS = {
  installation: { name: 'comanda-backup', refusal: 'this is not a Comanda backup' },
  merchant: { name: 'comanda-merchant', refusal: 'this is not the archive of a merchant' },
  changes: { name: 'comanda-changes', refusal: 'these are not the changes of a merchant' },
} as const;

/** What an archive holds: everything, one merchant, or what has changed of one that moves. */
export type ArchiveKind = keyof typeof FORMATS;

const ARCHIVE_NUMBER = 1;

export interface ArchiveSection {
  readonly table: string;
  readonly columns: readonly string[];
  /** Changes: only the rows that were written since a position. Default: all rows. */
  readonly changed?: boolean;
}

export interface ArchiveEnd {
  readonly rows: Readonly<Record<string, number>>;
  readonly sha256: string;
  /** Changes: the digest of each table as a whole, and the position of the snapshot. */
  readonly digests?: Readonly<Record<string, string>>;
  readonly position?: string;
}

/** `schema` is the number of the newest migration of the database that the archive comes from. */
export function archiveHeader(schema: number, version: string, kind: ArchiveKind) {
  return { format: FORMATS[kind].name, number: ARCHIVE_NUMBER, schema, version };
}

type ArchiveHeader = ReturnType<typeof archiveHeader>;

export function toLine(value: ArchiveHeader | ArchiveSection | { readonly end: ArchiveEnd }): Buffer {
  return Buffer.from(`${JSON.stringify(value)}\n`);
}

export function kindOfLine(line: Uint8Array): 'section' | 'end' | 'row' {
  const beginning = Buffer.from(line.subarray(0, 9)).toString('latin1');
  if (beginning.startsWith('{"table":')) return 'section';
  return beginning.startsWith('{"end":') ? 'end' : 'row';
}

/** Refuses what is not the header of an archive of this kind, or of one from a database newer than `known`. */
export function checkHeader(line: Uint8Array, kind: ArchiveKind, known: number): void {
  const { format, number, schema } = readMembers(line);
  if (format !== FORMATS[kind].name) throw refuseArchive(1, FORMATS[kind].refusal);
  if (number !== ARCHIVE_NUMBER)
    throw refuseArchive(
      1,
      `the archive has format ${JSON.stringify(number)}, but this version reads format ` +
        `${ARCHIVE_NUMBER}; restore it with the version that made it`,
    );
  if (typeof schema !== 'number' || !Number.isSafeInteger(schema))
    throw refuseArchive(1, 'the archive does not state its schema');
  if (schema > known)
    throw refuseArchive(
      1,
      `the archive has schema ${schema}, but this version supports only ${known}; ` +
        'restore it with the version that made it, or a later one',
    );
}

export function readSection(line: Uint8Array, number: number): ArchiveSection {
  const { table, columns, changed } = readMembers(line);
  if (typeof table !== 'string' || !isListOfText(columns))
    throw refuseArchive(number, 'the archive is damaged: this line does not start a table');
  return { table, columns, changed: changed === true };
}

export function readEnd(line: Uint8Array, number: number): ArchiveEnd {
  const { rows, sha256, digests, position } = membersOf(readMembers(line)['end']);
  if (typeof sha256 !== 'string')
    throw refuseArchive(number, 'the archive is damaged: its closing line cannot be read');
  return {
    rows: membersOf(rows) as Record<string, number>,
    sha256,
    digests: membersOf(digests) as Record<string, string>,
    ...(typeof position === 'string' ? { position } : {}),
  };
}

/** Nothing of an archive is taken when any of it is wrong. `line` counts from 1. */
export function refuseArchive(line: number, reason: string): ValidationFailed {
  return valueError(['body', line], reason);
}

function readMembers(line: Uint8Array): Record<string, unknown> {
  try {
    return membersOf(JSON.parse(Buffer.from(line).toString()));
  } catch {
    return {};
  }
}

function membersOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function isListOfText(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((element) => typeof element === 'string');
}

export const BackupLine = NamedShape(
  'BackupLine',
  {},
  {
    description:
      'A line of an archive: its header, the start of a table, a row, or the end. The order of the lines ' +
      'matters: send an archive unchanged.',
    additionalProperties: true,
    examples: [{ format: 'comanda-backup', number: 1, schema: 3, version: '0.2.0' }],
  },
);

/** `xmin:xmax` of a snapshot. */
export const Position = Type.String({
  description: 'A moment in the history of the old installation, as `GET …/move` there gives it',
  examples: ['752:752'],
});

export function checkPosition(name: string, position: string): string {
  if (/^\d{1,20}:\d{1,20}$/.test(position)) return position;
  throw valueError(['query', name], `${name} should be a position such as 752:752`, position);
}

export const ChangesReport = NamedShape('ChangesReport', {
  rows: MapOf(Type.Integer(), { examples: [{ merchants: 1, stores: 3, orders: 12 }] }),
  differing: Type.Array(Type.String(), {
    description: 'Tables that are not the same as in the old place yet: send them as a whole',
    examples: [[]],
  }),
});
export type ChangesReport = Static<typeof ChangesReport>;

export const RestoreReport = NamedShape('RestoreReport', {
  rows: MapOf(Type.Integer(), { examples: [{ merchants: 1, stores: 3, orders: 1200 }] }),
});
export type RestoreReport = Static<typeof RestoreReport>;

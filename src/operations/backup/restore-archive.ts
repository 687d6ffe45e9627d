import { createHash } from 'node:crypto';
import type { Database } from '../../db/database.js';
import { fillEmptyInstallation, type EmptyInstallation } from '../../db/restore.js';
import {
  kindOfLine,
  readEnd,
  readHeader,
  refuseArchive,
  type ArchiveEnd,
} from '../../domain/backup/archive.js';
import type { RestoreReport } from '../../domain/backup/shapes.js';
import { readLines, type NumberedLine } from '../ndjson-lines.js';
import { createSections, type Sections } from './restore-sections.js';

/** The longest row is a published menu: its body, compressed, two characters a byte. */
const LONGEST_LINE = 256 * 1024 * 1024;

/** Takes an archive into an installation without merchants, whole or not at all. */
export function restoreArchive(
  db: Database,
  knownSchema: number,
  source: AsyncIterable<Uint8Array>,
): Promise<RestoreReport> {
  return fillEmptyInstallation(db, knownSchema, async (installation) => {
    const reader = createReader(installation);
    for await (const lines of readLines(source, LONGEST_LINE)) {
      for (const line of lines) await reader.add(line);
    }
    const report = await reader.finish();
    await installation.finish();
    return report;
  });
}

function createReader(installation: EmptyInstallation) {
  const hash = createHash('sha256');
  const sections = createSections(installation);
  let report: RestoreReport | undefined;
  let last = 0;

  async function close(bytes: Uint8Array, number: number): Promise<RestoreReport> {
    await sections.flush();
    const end = readEnd(bytes, number);
    if (end.sha256 !== hash.digest('hex') || !isSameCount(end, sections)) {
      throw refuseArchive(number, 'the archive is damaged: what it holds is not what it was made with');
    }
    return { rows: sections.rows() };
  }

  return {
    async add({ number, bytes }: NumberedLine): Promise<void> {
      last = number;
      if (bytes === undefined) throw refuseArchive(number, 'the archive is damaged: this line is too long');
      if (report !== undefined) throw refuseArchive(number, 'the archive goes on after its end');
      const kind = kindOfLine(bytes);
      if (number > 1 && kind === 'end') {
        report = await close(bytes, number);
        return;
      }
      hash.update(bytes).update('\n');
      if (number === 1) refuseNewer(readHeader(bytes).schema, installation.schema);
      else if (kind === 'section') await sections.open(bytes, number);
      else await sections.add(bytes, number);
    },

    finish(): Promise<RestoreReport> {
      if (report === undefined)
        return Promise.reject(refuseArchive(last, 'the archive is cut off after this line'));
      return Promise.resolve(report);
    },
  };
}

function refuseNewer(schema: number, known: number): void {
  if (schema <= known) return;
  throw refuseArchive(
    1,
    `the archive has schema ${schema}, and this version of the service knows only ${known}; ` +
      'restore it with the version that made it, or a later one',
  );
}

function isSameCount({ rows }: ArchiveEnd['end'], sections: Sections): boolean {
  const found = sections.rows();
  const tables = new Set([...Object.keys(rows), ...Object.keys(found)]);
  return [...tables].every((table) => rows[table] === found[table]);
}

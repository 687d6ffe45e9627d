import Type, { type Static } from 'typebox';
import { MapOf } from '../shape/common-shapes.js';

export const BackupLine = Type.Object(
  {},
  {
    $id: 'BackupLine',
    description:
      'A line of an archive: what it is, the beginning of a table, a row of it, or the end. Only the order of the lines ' +
      'gives them their meaning; send an archive as it came.',
    examples: [{ format: 'comanda-backup', number: 1, schema: 3, version: '0.1.0' }],
  },
);

export const RestoreReport = Type.Object(
  { rows: MapOf(Type.Integer(), { examples: [{ merchants: 1, stores: 3, orders: 1200 }] }) },
  { $id: 'RestoreReport' },
);
export type RestoreReport = Static<typeof RestoreReport>;

import { Type, type Static } from '../support/shape/type.js';
import { SERVICES } from '../orders/fact-shapes.js';
import { exampleIds } from '../support/example-ids.js';
import { Datetime, NamedShape, OneOf, PatchOf } from '../support/shape/common-shapes.js';

const PAPER = ['ok', 'low', 'out', 'unknown'] as const;
const COVER = ['closed', 'open', 'unknown'] as const;
/** Why a printer prints nothing. */
const TROUBLES = ['offline', 'paper_out', 'cover_open', 'error'] as const;
export type Trouble = (typeof TROUBLES)[number];

/** What a printer says about itself. */
export interface PrinterState {
  readonly paper: (typeof PAPER)[number];
  readonly cover: (typeof COVER)[number];
  /** It prints nothing, for another reason than paper or cover. */
  readonly hasFailed: boolean;
}

const Columns = () =>
  Type.Unsafe<32 | 42 | 48>({
    type: 'integer',
    enum: [32, 42, 48],
    description: 'Characters in a line: 32 on paper of 58 mm, 42 or 48 on paper of 80 mm',
    examples: [42],
  });

const optional = {
  prints: Type.Optional(
    OneOf(['kitchen', 'receipt'], { description: 'What is on its tickets: what to cook, or what to pay' }),
  ),
  prep_types: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
      minItems: 1,
      maxItems: 50,
      description: 'Only lines with one of these prep_types, and those without one. Absent: every line',
      examples: [['bar']],
    }),
  ),
  services: Type.Optional(
    Type.Array(OneOf(SERVICES), {
      minItems: 1,
      maxItems: 3,
      description: 'Only orders with one of these services, and those without one. Absent: every order',
      examples: [['dine_in']],
    }),
  ),
  on: Type.Optional(
    OneOf(['created', 'accepted'], { description: 'Whether a new order is printed before it is accepted' }),
  ),
  columns: Type.Optional(Columns()),
  copies: Type.Optional(Type.Integer({ minimum: 1, maximum: 3, examples: [1] })),
  language: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 35,
      description: 'The language of names and words. Default: the first of the store',
      examples: ['en'],
    }),
  ),
};

const Label = () =>
  Type.String({ minLength: 1, maxLength: 100, description: 'What staff call it', examples: ['Kitchen'] });
const Protocol = () =>
  OneOf(['cloudprnt', 'epson', 'bridge'], {
    description:
      'How it fetches tickets: Star CloudPRNT, Epson Server Direct Print, or `comanda printers bridge` in the restaurant',
  });

export const PrinterCreate = NamedShape('PrinterCreate', {
  label: Label(),
  protocol: Protocol(),
  ...optional,
});
export type PrinterCreate = Static<typeof PrinterCreate>;

export const PrinterPatch = PatchOf({ label: Label(), ...optional }, { $id: 'PrinterPatch' });

/** As it is kept: everything that has a default is there. */
export type PrinterSettings = PrinterCreate &
  Required<Pick<PrinterCreate, 'prints' | 'on' | 'columns' | 'copies'>>;

export const DEFAULTS = { prints: 'kitchen', on: 'accepted', columns: 42, copies: 1 } as const;

const fields = {
  id: Type.String({ examples: [exampleIds.key] }),
  ...PrinterCreate.properties,
  url: Type.Optional(
    Type.String({
      description:
        'The address to enter in the printer. It opens the tickets of this printer and nothing else. Shown to keys with `store:write`',
      examples: ['https://orders.example/print/ab12'],
    }),
  ),
  created_at: Datetime(),
  trouble: Type.Optional(OneOf(TROUBLES, { description: 'Why it prints nothing' })),
};

export const Printer = Type.Object(fields, { $id: 'Printer' });
export type Printer = Static<typeof Printer>;

export const PrinterDetails = NamedShape('PrinterDetails', {
  ...fields,
  online: Type.Boolean({ description: 'Whether it has asked for tickets in the last minute' }),
  last_poll_at: Type.Optional(Datetime()),
  paper: OneOf(PAPER),
  cover: OneOf(COVER),
  behind: Type.Integer({
    minimum: 0,
    description: 'Orders whose tickets it has not confirmed; beyond 500 not exactly',
  }),
  oldest_at: Type.Optional(Datetime({ description: 'Since when the oldest of them waits' })),
});

export const PrintRequest = NamedShape('PrintRequest', {
  printer_id: Type.String({ examples: [exampleIds.key] }),
});

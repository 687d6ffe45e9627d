import type { Bench, Part } from '../bench.js';
import type { Figure } from '../figure.js';
import { compareRates } from '../measure/compare.js';
import { withService } from './setting.js';
import { writerSide } from './writers.js';

const WRITERS = 20;
const ROUNDS = 7;
const TARGET = 0.85;

export const eventIntake: Part = {
  name: 'event-intake',
  title: 'Taking orders in with events and without',
  short: 'Events',
  notes: [
    `${WRITERS} connections take orders in, all of one store: the event of each is written in the statement that writes the order, and`,
    'numbered by a row of the store that only one transaction can hold at a time. Reference: the same service on a database where',
    '`append_events`, the function that numbers and writes events, does nothing. First one process, then four that share the port.',
  ],
  run: async (bench) => [
    await compare(bench, 'one process', {}),
    await compare(bench, 'four processes', { COMANDA_WORKERS: '4' }),
  ],
};

const WITHOUT_EVENTS = `
  CREATE OR REPLACE FUNCTION append_events(of_store integer, ids uuid[], types text[], times timestamptz[], texts text[])
  RETURNS bigint LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'`;

function compare(bench: Bench, name: string, env: Readonly<Record<string, string>>): Promise<Figure> {
  const options = { env };
  return withService(
    bench,
    (told) =>
      withService(
        bench,
        async (untold) => {
          await untold.database.query(WITHOUT_EVENTS);
          return compareRates(bench, {
            name: `${WRITERS} writers, ${name}`,
            service: await writerSide(told),
            reference: await writerSide(untold),
            connections: WRITERS,
            expectStatus: 201,
            rounds: ROUNDS,
            target: { atLeast: TARGET },
          });
        },
        options,
      ),
    options,
  );
}

-- Printers that fetch tickets, and what they have printed.

-- settings: JSON with label, protocol, prints, prep_types, services, on, columns, copies and language. sequence: the event up to
-- which everything is printed; it moves only when the printer confirms. job: the ticket that the printer has fetched and not yet
-- confirmed. extras: test prints and copies to print besides. watched: the event up to which unprinted orders were raised.
CREATE TABLE printers (
  store_key    integer NOT NULL,
  id           uuid NOT NULL,
  code         text NOT NULL,
  code_hash    bytea NOT NULL,
  settings     jsonb NOT NULL,
  created_at   timestamptz NOT NULL,
  sequence     bigint NOT NULL,
  watched      bigint NOT NULL,
  job          jsonb,
  extras       jsonb NOT NULL DEFAULT '[]',
  last_poll_at timestamptz,
  paper        text NOT NULL DEFAULT 'unknown',
  cover        text NOT NULL DEFAULT 'unknown',
  trouble      text,
  PRIMARY KEY (store_key, id)
) WITH (fillfactor = 50);

CREATE UNIQUE INDEX printers_by_code ON printers (code_hash);
CREATE INDEX printers_unheard ON printers (last_poll_at);

-- The revision of each order that a printer has confirmed.
CREATE TABLE printer_tickets (
  store_key    integer NOT NULL,
  order_id     uuid NOT NULL,
  printer_id   uuid NOT NULL,
  revision     integer NOT NULL,
  is_cancelled boolean NOT NULL,
  printed_at   timestamptz NOT NULL,
  PRIMARY KEY (store_key, order_id, printer_id)
);

CREATE INDEX printer_tickets_by_time ON printer_tickets (printed_at);

-- print_within_minutes: an order that is not on paper after this time needs attention.
-- ready_when_done: an order is READY once all stations that make something of it are done.
ALTER TABLE stores ADD COLUMN print_within_minutes smallint, ADD COLUMN ready_when_done boolean;

import pg from 'pg';
import utils from 'pg/lib/utils.js';

/** A named statement, prepared once per connection. */
export interface Prepared {
  readonly name: string;
  readonly text: string;
  readonly values?: readonly unknown[];
  /** After this time without an answer the connection counts as dead. Default: a little more than the statement's own limit. */
  readonly patienceMs?: number;
}

/** What a query uses of pg's connection, which has no types. */
interface Connection {
  /** The text of each statement that the server has prepared, by its name; kept by pg. */
  readonly parsedStatements: Readonly<Record<string, string>>;
  readonly stream: { cork(): void; uncork(): void };
  parse(message: { readonly name: string; readonly text: string }): void;
  bind(message: { readonly statement: string; readonly values: readonly (string | Buffer | null)[] }): void;
  describe(message: { readonly type: 'P' }): void;
  execute(message: object): void;
  sync(): void;
}

interface Column {
  readonly name: string;
  readonly parse: (text: string) => unknown;
}

/** The columns of each statement of a connection, by the statement's name. */
const knownColumns = new WeakMap<Connection, Map<string, readonly Column[]>>();

/** Every bigint of the schema fits a double; by default pg returns them as text. */
export const COLUMN_TYPES = new pg.TypeOverrides();
COLUMN_TYPES.setTypeParser(pg.types.builtins.INT8, Number);

/**
 * Runs a named statement. The server describes its rows at the first run on a connection and never again, while pg asks at
 * every run. The description cannot change: PostgreSQL rejects a prepared statement whose result would have other columns.
 */
export function runPrepared<Row>(client: pg.Client, statement: Prepared): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    const query = new PreparedQuery<Row>(statement, (error) => {
      if (error === null) resolve(query.found);
      else reject(error);
    });
    client.query(query as unknown as pg.Submittable);
  });
}

/** Instead of pg's own query, which takes half as long again. Its client reads `name`, `text` and `query_timeout`. */
class PreparedQuery<Row> {
  // Not `rows`, by which pg would read a result in parts.
  readonly found: Row[] = [];
  readonly name: string;
  readonly text: string;
  readonly query_timeout: number | undefined;
  private readonly values: (string | Buffer | null)[];
  private columns: readonly Column[] | undefined;
  private known: Map<string, readonly Column[]> | undefined;
  private failure: Error | null = null;

  constructor(
    { name, text, values = [], patienceMs }: Prepared,
    /** Replaced by the client, to end its timer. */
    public callback: (error: Error | null) => void,
  ) {
    this.name = name;
    this.text = text;
    this.values = values.map((value) => utils.prepareValue(value));
    this.query_timeout = patienceMs;
  }

  submit(connection: Connection): Error | undefined {
    const { name, text, values } = this;
    const prepared = connection.parsedStatements[name];
    if (prepared !== undefined && prepared !== text) return new Error(`Two statements have the name ${name}`);
    this.known = knownAbout(connection);
    this.columns = this.known.get(name);
    // Sent as one packet.
    connection.stream.cork();
    if (prepared === undefined) connection.parse({ name, text });
    connection.bind({ statement: name, values });
    if (this.columns === undefined) connection.describe({ type: 'P' });
    connection.execute({});
    connection.sync();
    connection.stream.uncork();
    return undefined;
  }

  handleRowDescription({ fields }: { readonly fields: readonly pg.FieldDef[] }): void {
    this.columns = fields.map(({ name, dataTypeID }) => ({
      name,
      parse: COLUMN_TYPES.getTypeParser(dataTypeID, 'text') as unknown as Column['parse'],
    }));
    this.known?.set(this.name, this.columns);
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    if (this.failure !== null) return;
    try {
      this.found.push(readRow(this.columns ?? [], fields) as Row);
    } catch (error) {
      // Thrown here it would end the process.
      this.failure = error as Error;
    }
  }

  handleCommandComplete(): void {
    // The rows are all there is to know.
  }

  handleError(error: Error): void {
    this.callback(error);
  }

  handleReadyForQuery(): void {
    this.callback(this.failure);
  }
}

function knownAbout(connection: Connection): Map<string, readonly Column[]> {
  const known = knownColumns.get(connection) ?? new Map<string, readonly Column[]>();
  if (known.size === 0) knownColumns.set(connection, known);
  return known;
}

function readRow(columns: readonly Column[], fields: readonly (string | null)[]): unknown {
  const row: Record<string, unknown> = {};
  let i = 0;
  for (const { name, parse } of columns) {
    const text = fields[i];
    row[name] = typeof text === 'string' ? parse(text) : null;
    i += 1;
  }
  return row;
}

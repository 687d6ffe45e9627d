import pg from 'pg';

/** A named statement, prepared once per connection. */
interface Prepared {
  readonly name: string;
  readonly text: string;
  readonly values?: readonly unknown[];
  /** After this time without an answer the connection counts as dead. */
  readonly patienceMs?: number;
}

/** What pg's query has beside its declared members: its connection calls the handlers. */
interface HandlingQuery extends pg.Submittable {
  callback: (error: Error | null) => void;
  prepare(connection: Connection): void;
  handleRowDescription(message: Description): void;
  handleDataRow(message: DataRow): void;
}

interface Connection {
  describe(message: object): void;
}

interface Description {
  readonly fields: readonly pg.FieldDef[];
}

interface DataRow {
  readonly fields: readonly (string | null)[];
}

interface Column {
  readonly name: string;
  readonly parse: (text: string) => unknown;
}

/** What is known about one connection. */
interface Known {
  /** The columns of each statement by its name. */
  readonly columns: Map<string, readonly Column[]>;
  /** The connection, except that it asks for no description. */
  readonly undescribed: Connection;
}

const Query = pg.Query as unknown as new (config: pg.QueryConfig) => HandlingQuery;
const knownConnections = new WeakMap<Connection, Known>();

/** Every bigint of the schema fits a double; by default pg returns them as text. */
export const COLUMN_TYPES = new pg.TypeOverrides();
COLUMN_TYPES.setTypeParser(pg.types.builtins.INT8, Number);

/**
 * Runs a named statement. The server describes its rows at the first run on a connection and never again, while pg asks at
 * every run. The description cannot change: PostgreSQL rejects a prepared statement whose result would have other columns.
 */
export function runPrepared<Row>(client: pg.PoolClient, statement: Prepared): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    const query = new PreparedQuery<Row>(statement);
    query.callback = (error) => {
      const failure = error ?? query.failure;
      if (failure === undefined) resolve(query.found);
      else reject(failure);
    };
    client.query(query);
  });
}

class PreparedQuery<Row> extends Query {
  // Not `rows`, by which pg would read a result in parts.
  readonly found: Row[] = [];
  failure: Error | undefined;
  /** Read by pg. */
  readonly query_timeout: number | undefined;
  private readonly statement: string;
  private columns: readonly Column[] = [];
  private known: Known | undefined;

  constructor({ name, text, values, patienceMs }: Prepared) {
    super({ name, text, values: values as unknown[] });
    this.statement = name;
    this.query_timeout = patienceMs;
  }

  override prepare(connection: Connection): void {
    this.known = knownAbout(connection);
    const columns = this.known.columns.get(this.statement);
    if (columns !== undefined) this.columns = columns;
    super.prepare(columns === undefined ? connection : this.known.undescribed);
  }

  override handleRowDescription({ fields }: Description): void {
    this.columns = fields.map(({ name, dataTypeID }) => ({
      name,
      parse: COLUMN_TYPES.getTypeParser(dataTypeID, 'text') as unknown as Column['parse'],
    }));
    this.known?.columns.set(this.statement, this.columns);
  }

  override handleDataRow({ fields }: DataRow): void {
    if (this.failure !== undefined) return;
    try {
      this.found.push(readRow(this.columns, fields) as Row);
    } catch (error) {
      // Thrown here it would end the process.
      this.failure = error as Error;
    }
  }
}

function readRow(columns: readonly Column[], fields: DataRow['fields']): unknown {
  const row: Record<string, unknown> = {};
  let i = 0;
  for (const { name, parse } of columns) {
    const text = fields[i];
    row[name] = typeof text === 'string' ? parse(text) : null;
    i += 1;
  }
  return row;
}

function knownAbout(connection: Connection): Known {
  const found = knownConnections.get(connection);
  if (found !== undefined) return found;
  const undescribed = Object.create(connection, { describe: { value: () => undefined } }) as Connection;
  const known = { columns: new Map<string, readonly Column[]>(), undescribed };
  knownConnections.set(connection, known);
  return known;
}

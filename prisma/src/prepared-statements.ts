import type pg from 'pg';
import type { Prisma } from '../generated/client.ts';
import type { Database, Transaction } from './client.ts';

/** Most texts that a process has prepared: far more than there are, should one of them ever depend on its values. */
const MOST_PREPARED = 200;

interface Source {
  pool: pg.Pool;
  /** The names of the prepared statements, by their texts. */
  names: Map<string, string>;
}

const sources = new WeakMap<Database | Transaction, Source>();

/** Has {@link readRows} take a database's connections from its pool. */
export const servePreparedStatements = (database: Database, pool: pg.Pool): void => {
  sources.set(database, { pool, names: new Map() });
};

/** The driver could not ask the database; its cause tells why. */
export class PreparedStatementError extends Error {
  readonly code = 'prepared_statement_failed';
}

/**
 * The rows of a read that is made over and over. It goes straight through the driver, in a statement that Postgres
 * parses and plans once per connection: for a short read Prisma's client costs several times what the driver does
 * (docs/decisions/031). In a transaction it is one more statement of that transaction.
 *
 * The text must not depend on values, lists included; columns are named one by one, because a `*` that grows with a
 * migration would fail on the connections that have it prepared. Big integers and decimals have to be cast: the
 * driver would answer text.
 *
 * @throws {PreparedStatementError} what the driver threw is its cause; inside a transaction, Prisma's errors
 */
export const readRows = async <Row extends object>(
  database: Database | Transaction,
  statement: Prisma.Sql,
): Promise<Row[]> => {
  const source = sources.get(database);
  if (source === undefined) return database.$queryRaw<Row[]>(statement);
  const { text, values } = statement;
  try {
    const { rows } = await source.pool.query<Row & pg.QueryResultRow>({
      name: nameOf(source, text),
      text,
      values,
    });
    return rows;
  } catch (cause) {
    throw new PreparedStatementError('a prepared statement failed', { cause });
  }
};

/**
 * Carries out a write that is made over and over, under the same rules as {@link readRows}.
 *
 * @throws {PreparedStatementError} what the driver threw is its cause; inside a transaction, Prisma's errors
 */
export const writeRows = async (database: Database | Transaction, statement: Prisma.Sql): Promise<void> => {
  await readRows(database, statement);
};

/** The name under which a text is prepared; undefined has it parsed each time. */
const nameOf = ({ names }: Source, text: string): string | undefined => {
  const known = names.get(text);
  if (known !== undefined || names.size >= MOST_PREPARED) return known;
  const name = `statement_${names.size + 1}`;
  names.set(text, name);
  return name;
};

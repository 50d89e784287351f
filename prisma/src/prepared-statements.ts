import type pg from 'pg';
import { Prisma, type PrismaClient } from '../generated/client.ts';

/** Begins the text of every statement that is to be prepared. */
const PREPARED = '/* prepared */ ';
/** Most texts that a process has prepared: far more than there are, should one of them ever depend on its values. */
const MOST_PREPARED = 200;

/**
 * Creates the function that names statements by their texts. Postgres parses and plans a named statement once per
 * connection; an empty name has it parsed each time.
 */
const createStatementNames = (prefix: string): ((text: string) => string) => {
  const names = new Map<string, string>();
  return (text) => {
    const known = names.get(text);
    if (known !== undefined) return known;
    if (names.size >= MOST_PREPARED) return '';
    const name = `${prefix}_${names.size + 1}`;
    names.set(text, name);
    return name;
  };
};

/** Has Prisma's adapter prepare the statements that {@link readRows} marks. */
export const createStatementNameGenerator = (): ((query: { sql: string }) => string) => {
  const nameOf = createStatementNames('prepared');
  return ({ sql }) => (sql.startsWith(PREPARED) ? nameOf(sql) : '');
};

/**
 * The rows of a frequent read, in a prepared statement (docs/decisions/031).
 *
 * The text must not depend on values, lists included; columns are named one by one, because a `*` that grows with a
 * migration would fail on the connections that have it prepared.
 */
export const readRows = <Row extends object>(
  database: Pick<PrismaClient, '$queryRaw'>,
  { strings, values }: Prisma.Sql,
): Promise<Row[]> => {
  const [first = '', ...others] = strings;
  return database.$queryRaw<Row[]>(new Prisma.Sql([PREPARED + first, ...others], values));
};

/** Executes a frequent write, under the same rules as {@link readRows}. */
export const writeRows = async (
  database: Pick<PrismaClient, '$queryRaw'>,
  statement: Prisma.Sql,
): Promise<void> => {
  await readRows(database, statement);
};

/** The driver could not read; its error is the cause. */
export class DirectReadError extends Error {
  readonly code = 'direct_read_failed';
}

/**
 * Reads rows past Prisma's client, in a prepared statement of the driver: for the reads of `GET /api/v1/me` and of the
 * history, where the client costs more than the statement (docs/decisions/031). Not for transactions. The driver returns
 * big integers and decimals as text.
 */
export type ReadDirectly = <Row extends object>(statement: Prisma.Sql) => Promise<Row[]>;

export const createReadDirectly = (pool: pg.Pool): ReadDirectly => {
  const nameOf = createStatementNames('direct');
  return async <Row extends object>({ text, values }: Prisma.Sql) => {
    try {
      const { rows } = await pool.query<Row & pg.QueryResultRow>({ name: nameOf(text), text, values });
      return rows;
    } catch (cause) {
      throw new DirectReadError('a read through the driver failed', { cause });
    }
  };
};

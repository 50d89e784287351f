import { Prisma } from '../generated/client.ts';
import type { Database, Transaction } from './client.ts';

/** Begins the text of every statement that is to be prepared. */
const PREPARED = '/* prepared */ ';
/** Most texts that a process has prepared: far more than there are, should one of them ever depend on its values. */
const MOST_PREPARED = 200;

/**
 * Creates the function that names statements by their texts. Postgres parses and plans a named statement once per
 * connection; an empty name has it parsed each time.
 */
export const createStatementNames = (prefix: string): ((text: string) => string) => {
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
  database: Database | Transaction,
  { strings, values }: Prisma.Sql,
): Promise<Row[]> => {
  const [first = '', ...others] = strings;
  return database.$queryRaw<Row[]>(new Prisma.Sql([PREPARED + first, ...others], values));
};

/** Executes a frequent write, under the same rules as {@link readRows}. */
export const writeRows = async (database: Database | Transaction, statement: Prisma.Sql): Promise<void> => {
  await readRows(database, statement);
};

import type { Database, Prisma, Transaction } from '@mailsweep/database';

/**
 * Runs some work in a transaction, within which now() stands still, and takes back what it wrote.
 *
 * @param moment - what now() is then; where left out, the moment at which the transaction began
 */
export const inFrozenTime = async <T>(
  database: Database,
  work: (tx: Database) => Promise<T>,
  moment?: Date,
): Promise<T> => {
  let result: { value: T } | undefined;
  const rolledBack = new Error('rolled back');
  await database
    .$transaction(async (tx) => {
      if (moment !== undefined) await setClock(tx, moment);
      result = { value: await work(toDatabase(tx)) };
      throw rolledBack;
    })
    .catch((error: unknown) => {
      if (error !== rolledBack) throw error;
    });
  return (result as { value: T }).value;
};

/** The transaction as a database whose direct reads belong to it, too. */
const toDatabase = (tx: Transaction): Database =>
  new Proxy(tx, {
    get: (target, property) =>
      property === 'readDirectly'
        ? (statement: Prisma.Sql) => tx.$queryRaw(statement)
        : Reflect.get(target, property),
  }) as Database;

/** Statements that are sent from now on find this now() before that of Postgres; it is where services may create one. */
const setClock = async (tx: Transaction, moment: Date): Promise<void> => {
  await tx.$executeRawUnsafe(
    `CREATE FUNCTION bullmq.now() RETURNS timestamptz LANGUAGE sql RETURN '${moment.toISOString()}'::timestamptz`,
  );
  await tx.$executeRaw`SET LOCAL search_path = bullmq, public, pg_catalog`;
};

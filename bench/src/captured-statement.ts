import { type Database, Prisma } from '@mailsweep/database';

/** A statement as the bare driver takes it. */
export interface Statement {
  text: string;
  values: unknown[];
}

/** The one statement that a repository sends, so that the floor runs the very same. */
export const captureStatement = async (
  send: (database: Database) => Promise<unknown>,
): Promise<Statement> => {
  let captured: Statement | undefined;
  const recorder = {
    $queryRaw: async (query: TemplateStringsArray | Prisma.Sql, ...values: unknown[]) => {
      const sql = query instanceof Prisma.Sql ? query : Prisma.sql(query, ...values);
      captured = { text: sql.text, values: sql.values };
      return [];
    },
    readDirectly: async (sql: Prisma.Sql) => {
      captured = { text: sql.text, values: sql.values };
      return [];
    },
  };
  await send(recorder as unknown as Database);
  if (captured === undefined) throw new Error('no statement was sent');
  return captured;
};

import type { Mailsweep } from '@mailsweep/core';
import { openTestMailsweep } from '@mailsweep/core/testing';
import { type Database, Prisma } from '@mailsweep/database';
import { PLAIN } from './servers.ts';

/** A statement as the bare driver takes it. */
export interface Statement {
  text: string;
  values: unknown[];
}

/** The one statement that the product sends, so that the floor runs the very same. */
export const captureStatement = async (
  send: (mailsweep: Mailsweep) => Promise<unknown>,
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
  const mailsweep = openTestMailsweep({ database: recorder as unknown as Database, cipher: PLAIN });
  await send(mailsweep).finally(mailsweep.close);
  if (captured === undefined) throw new Error('no statement was sent');
  return captured;
};

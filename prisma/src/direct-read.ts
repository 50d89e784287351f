import type pg from 'pg';
import type { Prisma } from '../generated/client.ts';
import { createStatementNames } from './prepared-statements.ts';

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

import type pg from 'pg';
import type { Prisma } from '../generated/client.ts';

/** The driver could not read; its error is the cause. */
export class DirectReadError extends Error {
  readonly code = 'direct_read_failed';
}

/**
 * Reads rows past Prisma's client, straight through the driver: for the one read of every request, where the client
 * costs more than the statement (docs/decisions/031). Not for transactions. The driver returns big integers and decimals
 * as text.
 *
 * @param name - under which the statement is prepared; belongs to one text
 */
export type ReadDirectly = <Row extends object>(name: string, statement: Prisma.Sql) => Promise<Row[]>;

export const createReadDirectly =
  (pool: pg.Pool): ReadDirectly =>
  async <Row extends object>(name: string, { text, values }: Prisma.Sql) => {
    try {
      const { rows } = await pool.query<Row & pg.QueryResultRow>({ name, text, values });
      return rows;
    } catch (cause) {
      throw new DirectReadError('a read through the driver failed', { cause });
    }
  };

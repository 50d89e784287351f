import type { Database } from './client.ts';

/** Rejects unless the database executes a statement. */
export const pingDatabase = async (database: Database): Promise<void> => {
  await database.$queryRaw`SELECT 1`;
};

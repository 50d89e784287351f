import type { Database } from './client.ts';

/**
 * Rejects unless the database takes a write, which is rolled back: reading works on a server that is read-only, such as a
 * standby after a failover, or that has no space left.
 */
export const pingDatabase = async (database: Database): Promise<void> => {
  await database.$executeRaw`
    DO $$ BEGIN
      INSERT INTO "ErasedUser" ("id") VALUES (gen_random_uuid());
      RAISE 'rolled back';
    EXCEPTION WHEN raise_exception THEN
      NULL;
    END $$`;
};

import { type Database, pingDatabase } from '@mailsweep/database';
import { withinDatabaseDeadline } from '../http/database-deadline.ts';
import { shareRecent } from '../http/share-recent.ts';

/** How long the result of a check is reused, in milliseconds. */
const REUSE_MS = 1_000;

/** Creates the check whether the database responds in time. */
export const createDatabaseHealth = (database: Database): (() => Promise<boolean>) =>
  shareRecent(
    () =>
      withinDatabaseDeadline(pingDatabase(database)).then(
        () => true,
        () => false,
      ),
    REUSE_MS,
  );

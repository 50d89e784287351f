import type { Database } from '@mailsweep/database';
import type { Logger } from '@mailsweep/service-kit';
import { type Session, touchSession } from './session.repository.ts';

/** How exactly the last use of a session is known, in seconds. */
const RESOLUTION_S = 60;

export type NoteSessionUse = (session: Session) => void;

/**
 * Makes the function that stores when a session was last used, at most once a minute. It is called with each
 * authenticated request, which does not wait for it: the row that the request has read shows whether to write.
 */
export const createNoteSessionUse = (dependencies: {
  database: Database;
  logger: Logger;
}): NoteSessionUse => {
  const { database, logger } = dependencies;
  const writing = new Set<string>();
  return ({ id, unusedSeconds }) => {
    if (unusedSeconds < RESOLUTION_S || writing.has(id)) return;
    writing.add(id);
    touchSession(database, id, RESOLUTION_S)
      .catch((error: unknown) =>
        logger.warn({ err: error, sessionId: id }, 'the last use of a session could not be stored'),
      )
      .finally(() => writing.delete(id));
  };
};

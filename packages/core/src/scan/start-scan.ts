import type { Scan, StartScanRequest } from '@mailsweep/contracts';
import type { Database } from '@mailsweep/database';
import type { IdempotentRequest } from '../concurrency/idempotency-key.repository.ts';
import { RefusedError } from '../refused-error.ts';
import {
  findActiveScan,
  findScan,
  hasStartedScans,
  insertScan,
  SCAN_STARTED,
  toScan,
} from './mailbox-scan.repository.ts';

/** A scan can end between the two looks, but not again and again. */
const MAX_ATTEMPTS = 5;

/** Most scans that a user may start in a window of so many seconds; each is work for the database and for Gmail. */
const MAX_STARTS = 20;
const WINDOW_S = 60;

/**
 * Starts the scan of a user's mailbox, unless one is in flight.
 *
 * @throws {RefusedError}
 * @returns the scan in flight, and whether it is a new one
 */
export const createStartScan =
  ({ database }: { database: Database }) =>
  async (
    userId: string,
    { scope }: StartScanRequest,
    idempotency?: IdempotentRequest,
  ): Promise<{ scan: Scan; isNew: boolean }> => {
    const startedId = idempotency?.done.get(SCAN_STARTED);
    const startedBefore = startedId === undefined ? null : await findScan(database, userId, startedId);
    if (startedBefore !== null) return { scan: startedBefore, isNew: true };
    if (await hasStartedScans(database, userId, { count: MAX_STARTS, seconds: WINDOW_S })) {
      const active = await findActiveScan(database, userId);
      if (active === null)
        throw new RefusedError(
          'too_many_scans',
          'too many scans were started: wait before you start another',
          WINDOW_S * 1_000,
        );
      return { scan: toScan(active), isNew: false };
    }
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const started = await insertScan(database, userId, scope, idempotency?.key);
      if (started !== null) return { scan: toScan(started), isNew: true };
      const active = await findActiveScan(database, userId);
      if (active !== null) return { scan: toScan(active), isNew: false };
    }
    throw new Error('no scan could be started');
  };

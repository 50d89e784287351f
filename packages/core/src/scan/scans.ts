import {
  type Pagination,
  SCAN_AFTER_CANCEL_SECONDS,
  type Scan,
  type StartScanRequest,
} from '@mailsweep/contracts';
import type { Database } from '@mailsweep/database';
import type { IdempotentRequest } from '../concurrency/idempotency.repository.ts';
import { RefusedError } from '../refused-error.ts';
import {
  cancelScan,
  findActiveScan,
  findScan,
  hasStartedScans,
  insertScan,
  listScans,
  msSinceCancelled,
  SCAN_STARTED,
  toScan,
} from './mailbox-scan.repository.ts';

/** A scan can end between the two looks, but not again and again. */
const MAX_ATTEMPTS = 5;

/** Most scans that a user may start in a window of so many seconds; each is work for the database and for Gmail. */
const MAX_STARTS = 20;
const WINDOW_S = 60;

const AFTER_CANCEL_MS = SCAN_AFTER_CANCEL_SECONDS * 1_000;

/** The scans of users' whole mailboxes; the steps themselves are the worker's. */
export const createScans = ({ database }: { database: Database }) => ({
  /**
   * Starts the scan of a user's mailbox, unless one is in flight.
   *
   * @throws {RefusedError}
   * @returns the scan in flight, and whether it is a new one
   */
  async start(
    userId: string,
    { scope }: StartScanRequest,
    idempotency?: IdempotentRequest,
  ): Promise<{ scan: Scan; isNew: boolean }> {
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
    const cancelledMs = await msSinceCancelled(database, userId);
    if (cancelledMs < AFTER_CANCEL_MS)
      throw new RefusedError(
        'too_many_scans',
        'a scan was cancelled just now: wait before you start another',
        AFTER_CANCEL_MS - cancelledMs,
      );
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const started = await insertScan(database, userId, scope, idempotency?.key);
      if (started !== null) return { scan: toScan(started), isNew: true };
      const active = await findActiveScan(database, userId);
      if (active !== null) return { scan: toScan(active), isNew: false };
    }
    throw new Error('no scan could be started');
  },

  list: (userId: string, pagination: Pagination) => listScans(database, userId, pagination),
  find: (userId: string, id: string) => findScan(database, userId, id),
  /** Ends a scan in flight; what it has found stays. */
  cancel: (userId: string, id: string) => cancelScan(database, userId, id),
});

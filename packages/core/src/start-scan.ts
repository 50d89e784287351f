import type { Scan, StartScanRequest } from '@mailsweep/contracts';
import type { Database } from '@mailsweep/database';
import type { IdempotentRequest } from './idempotency-key.repository.ts';
import {
  findActiveScan,
  findScan,
  insertScan,
  SCAN_STARTED,
  type ScanRow,
  toScan,
} from './mailbox-scan.repository.ts';

/** A scan can end between the two looks, but not again and again. */
const MAX_ATTEMPTS = 5;

/**
 * Starts the scan of a person's mailbox, unless one is under way.
 *
 * @param dependencies.onStarted - told once the scan is written down, so that it is worked on soon
 * @returns the scan under way, and whether it is a new one
 */
export const createStartScan =
  (dependencies: {
    database: Database;
    onStarted: (scan: Pick<ScanRow, 'id' | 'userId' | 'pages'>) => void;
  }) =>
  async (
    userId: string,
    { scope }: StartScanRequest,
    idempotency?: IdempotentRequest,
  ): Promise<{ scan: Scan; isNew: boolean }> => {
    const { database, onStarted } = dependencies;
    const startedId = idempotency?.done.get(SCAN_STARTED);
    const startedBefore = startedId === undefined ? null : await findScan(database, userId, startedId);
    if (startedBefore !== null) return { scan: startedBefore, isNew: true };
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const started = await insertScan(database, userId, scope, idempotency?.key);
      if (started !== null) {
        onStarted(started);
        return { scan: toScan(started), isNew: true };
      }
      const active = await findActiveScan(database, userId);
      if (active !== null) return { scan: toScan(active), isNew: false };
    }
    throw new Error('no scan could be started');
  };

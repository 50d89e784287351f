/**
 * Largest allowed difference between a worker's clock and the database's, in milliseconds. Locks last six seconds
 * and are renewed after three, so within this difference no worker takes another's lock for expired.
 */
const TOLERANCE_MS = 2_000;

/** The clock of this process is wrong, or the database's is. */
export class ClockSkewError extends Error {
  override readonly name = 'ClockSkewError';
  readonly code = 'clock_skew';

  constructor(skewMs: number) {
    super(`the clocks of this process and the database differ by ${Math.round(Math.abs(skewMs) / 1_000)} s`);
  }
}

/**
 * Compares the clock of this process with the database's.
 *
 * @param readDatabaseClock - milliseconds since 1970, by the database
 * @throws {ClockSkewError} when they differ by more than locks tolerate
 */
export const assertClocksAgree = async (
  readDatabaseClock: () => Promise<number>,
  now: () => number = Date.now,
): Promise<void> => {
  const beforeMs = now();
  const databaseMs = await readDatabaseClock();
  const afterMs = now();
  // The database read its clock between the two instants, so a time between them is no skew.
  const skewMs = databaseMs - Math.min(Math.max(databaseMs, beforeMs), afterMs);
  if (Math.abs(skewMs) > TOLERANCE_MS) throw new ClockSkewError(skewMs);
};

/**
 * Most by which a worker's clock may differ from the database's, in milliseconds. Locks last six seconds and are
 * renewed after three, so that up to here no worker takes another's for run out.
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
 * @throws {ClockSkewError} when they differ by more than locks can stand
 */
export const assertClocksAgree = async (
  readDatabaseClock: () => Promise<number>,
  now: () => number = Date.now,
): Promise<void> => {
  const beforeMs = now();
  const databaseMs = await readDatabaseClock();
  const afterMs = now();
  // The database looked at its clock at some moment in between; what lies there is no difference.
  const skewMs = databaseMs - Math.min(Math.max(databaseMs, beforeMs), afterMs);
  if (Math.abs(skewMs) > TOLERANCE_MS) throw new ClockSkewError(skewMs);
};

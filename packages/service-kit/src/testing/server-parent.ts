import { existsSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** Linux's file system in memory. */
const MEMORY = '/dev/shm';

/**
 * Where test servers keep their data: in memory where there is room, for disks differ by a factor of ten in how long
 * they take to create a file or to flush one. A kill of the server loses nothing there.
 *
 * @param neededBytes - how much has to be free
 */
export const findServerParent = (neededBytes: number): string => {
  if (!existsSync(MEMORY)) return tmpdir();
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= neededBytes ? MEMORY : tmpdir();
};

import { access, constants, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { DoctorContext } from '../context.ts';
import { error, type Finding, ok, skipped, warning } from '../finding.ts';

const NODE_MAJOR = 24;
const MB = 1024 * 1024;
/** Free space of the data folder, in bytes: below the first Postgres fills it soon, below the second it does not start. */
const LITTLE_SPACE_BYTES = 1_024 * MB;
const NO_SPACE_BYTES = 100 * MB;

export const checkNode = (): Finding[] => {
  const { node } = process.versions;
  if (Number(node.split('.')[0]) >= NODE_MAJOR) return [ok(`Node ${node}.`)];
  return [
    error({
      message: `This is Node ${node}.`,
      why: `API and worker are TypeScript that only Node ${NODE_MAJOR} and newer run.`,
      fix: `Install Node ${NODE_MAJOR}, or use npm start, npm run doctor and the images, which bring it.`,
    }),
  ];
};

/** The nearest folder that exists: the data folder is made at the first start. */
const findExisting = async (path: string): Promise<string> => {
  try {
    await access(path);
    return path;
  } catch (cause) {
    if (dirname(path) === path) throw cause;
    return findExisting(dirname(path));
  }
};

export const checkDisk = async ({ env }: DoctorContext): Promise<Finding[]> => {
  const { MAILSWEEP_HOME: folder } = env;
  if (folder === undefined)
    return [skipped('API and worker write no files; only npm start has a data folder.')];
  const variable = 'MAILSWEEP_HOME';
  const existing = await findExisting(folder);
  try {
    await access(existing, constants.W_OK | constants.X_OK);
  } catch {
    const why = 'npm start keeps the database, secrets and logs there.';
    const fix = 'Name a folder that this user may write to.';
    return [error({ message: `The data folder ${folder} cannot be written to.`, why, fix, variable })];
  }
  const { bavail, bsize } = await statfs(existing);
  const freeBytes = bavail * bsize;
  const message = `${Math.round(freeBytes / MB)} MB are free for the data folder ${folder}.`;
  if (freeBytes >= LITTLE_SPACE_BYTES) return [ok(message)];
  const report = freeBytes < NO_SPACE_BYTES ? error : warning;
  const why = 'A database without space stops: nothing can be saved.';
  return [report({ message, why, fix: 'Free some space, or name a folder on another disk.', variable })];
};

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { StepError } from './run-step.mjs';

/** The oldest Node that runs the sources as they are. */
const OLDEST_OWN_NODE = 24;

/**
 * The Node that the project runs on: the optional dependency for this platform, which the lockfile pins by hash. Where
 * there is no package of this version (macOS), it is the machine's own.
 *
 * @param machine - the platform, architecture and Node of this machine, as `process` has them
 * @returns the path of the program, whether it is installed yet or not
 * @throws {StepError} when there is no package, and the machine's own Node is too old
 */
export const projectNode = (root, machine = process) => {
  const { platform, arch, execPath, versions } = machine;
  const name = `node-${platform === 'win32' ? 'win' : platform}-${arch}`;
  const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  if (name in optionalDependencies) {
    return join(root, 'node_modules', name, 'bin', platform === 'win32' ? 'node.exe' : 'node');
  }
  if (Number(versions.node.split('.')[0]) >= OLDEST_OWN_NODE) return execPath;
  throw new StepError(
    `On ${platform} ${arch}, Node ${OLDEST_OWN_NODE} or newer is needed; this is ${versions.node}.`,
  );
};

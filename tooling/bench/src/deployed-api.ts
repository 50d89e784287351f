import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url));
const API = ['--filter', '@mailsweep/api'];
const PRODUCTION = ['--prod', '--config.inject-workspace-packages=true', '--config.node-linker=hoisted'];

/** The API as its image has it. */
export interface DeployedApi extends AsyncDisposable {
  /** Where its command is run. */
  folder: string;
  /** What its command hands to Node itself. */
  nodeFlags: string[];
  /** The module that its command runs. */
  module: string;
}

/** The command of the image, so that what is measured is what is run. */
const readCommand = (): { nodeFlags: string[]; module: string } => {
  const dockerfile = readFileSync(join(REPOSITORY, 'apps/api/Dockerfile'), 'utf8');
  const command = /^CMD (\[.+\])$/m.exec(dockerfile)?.[1] ?? '[]';
  const [program, ...rest]: string[] = JSON.parse(command);
  const module = rest.at(-1);
  if (program !== 'node' || module === undefined) throw new Error('the image of the API runs something else');
  return { nodeFlags: rest.slice(0, -1), module };
};

/**
 * Bundles the API and lays it out with the packages that the bundle leaves outside, by the commands of its image.
 * Needs pnpm on the PATH, which has it for everything that pnpm itself runs.
 */
export const deployApi = async (): Promise<DeployedApi> => {
  const folder = mkdtempSync(join(tmpdir(), 'mailsweep-deployed-'));
  const pnpm = (...args: string[]) => promisify(execFile)('pnpm', args, { cwd: REPOSITORY });
  const remove = async () => rmSync(folder, { recursive: true, force: true });
  try {
    await pnpm(...API, 'run', 'build');
    await pnpm(...API, ...PRODUCTION, 'deploy', '--prefer-offline', folder);
    return { folder, ...readCommand(), [Symbol.asyncDispose]: remove };
  } catch (error) {
    await remove();
    throw error;
  }
};

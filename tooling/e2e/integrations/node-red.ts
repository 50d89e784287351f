import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '@mailsweep/service-kit/testing';
import got from 'got';
import { vi } from 'vitest';

const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url));
const TOOL = join(REPOSITORY, 'tools/node-red');
const PROGRAM = join(TOOL, 'node_modules/node-red/red.js');
const FLOW = join(REPOSITORY, 'integrations/node-red/mailsweep.json');
const START_TIMEOUT_MS = 60_000;
/** How long packages may take to arrive. */
const INSTALL_LIMIT_MS = 240_000;

/** Installs Node-RED from the registry, at the version and with the hashes of its lockfile. */
export const installNodeRed = (): void => {
  if (existsSync(PROGRAM)) return;
  const options = { cwd: TOOL, encoding: 'utf8', timeout: INSTALL_LIMIT_MS } as const;
  const { status, stderr } = spawnSync('npm', ['ci', '--silent'], options);
  if (status !== 0) throw new Error(`Node-RED could not be installed: ${stderr}`);
};

export interface NodeRed {
  /** Where the flow receives the webhook. */
  url: string;
  close(): Promise<void>;
}

/**
 * Starts Node-RED with the template as it is, and waits until its flow responds.
 *
 * @param env - the settings of the template
 */
export const startNodeRed = async (env: Record<string, string>): Promise<NodeRed> => {
  const userDir = mkdtempSync(join(tmpdir(), 'mailsweep-node-red-'));
  copyFileSync(FLOW, join(userDir, 'flows.json'));
  const port = await findFreePort();
  const words = [PROGRAM, '--userDir', userDir, '--port', `${port}`, 'flows.json'];
  const child = spawn(process.execPath, words, {
    cwd: userDir,
    env: { HOME: userDir, ...env },
    stdio: 'ignore',
  });
  const exited = once(child, 'exit');
  const close = async () => {
    child.kill('SIGTERM');
    await exited;
    rmSync(userDir, { recursive: true, force: true });
  };
  const url = `http://127.0.0.1:${port}/mailsweep`;
  const isReady = async () => {
    const { statusCode } = await got.post(url, { throwHttpErrors: false, retry: { limit: 0 } });
    if (statusCode !== 401) throw new Error(`Node-RED responds with ${statusCode}`);
  };
  try {
    await vi.waitFor(isReady, { timeout: START_TIMEOUT_MS, interval: 200 });
  } catch (error) {
    await close();
    throw error;
  }
  return { url, close };
};

import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { usageFailure } from './failures.ts';
import type { Terminal } from './terminal.ts';

/** The API that a token belongs to. It is sent to no other. */
export interface Credentials {
  api: string;
  token: string;
  /** Whether this program had asked for the token, so that signing out revokes it. */
  isGranted?: boolean;
}

type Environment = Terminal['env'];

const LOCAL_HOSTS = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** The folder for settings of programs, as the system has it. */
const toConfigFolder = (env: Environment): string => {
  if (env.XDG_CONFIG_HOME) return env.XDG_CONFIG_HOME;
  if (process.platform === 'win32') return env.APPDATA ?? join(homedir(), 'AppData', 'Roaming');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support');
  return join(homedir(), '.config');
};

const toCredentialsFile = (env: Environment): string =>
  join(toConfigFolder(env), 'mailsweep', 'credentials.json');

/** @returns null where nothing usable is kept */
export const readCredentials = async (env: Environment): Promise<Credentials | null> => {
  try {
    const kept = JSON.parse(await readFile(toCredentialsFile(env), 'utf8')) as Partial<Credentials>;
    return typeof kept.api === 'string' && typeof kept.token === 'string'
      ? { api: kept.api, token: kept.token, ...(kept.isGranted === true && { isGranted: true }) }
      : null;
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
};

/** Keeps them for this user of the system alone. @returns the path of the file */
export const keepCredentials = async (env: Environment, credentials: Credentials): Promise<string> => {
  const file = toCredentialsFile(env);
  const draft = `${file}.${randomUUID()}`;
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  try {
    // A new file: an older one might be open to others.
    await writeFile(draft, `${JSON.stringify(credentials)}\n`, { mode: 0o600, flag: 'wx' });
    await rename(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
  return file;
};

/** @returns whether there was something to forget */
export const forgetCredentials = async (env: Environment): Promise<boolean> => {
  try {
    await rm(toCredentialsFile(env));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
};

/**
 * The address of an API as it is kept and compared.
 *
 * @throws where it is none, or where a token would cross a network in the clear
 */
export const toApi = (text: string): string => {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!(url && /^https?:$/.test(url.protocol)) || url.username || url.password || url.search || url.hash)
    throw usageFailure('The address of the API has to look like https://api.example.com.');
  if (url.protocol === 'http:' && !LOCAL_HOSTS.test(url.hostname))
    throw usageFailure(
      'The address of the API has to begin with https://: without it, others on the network could read the token. Only an API on this machine may do without.',
    );
  // Documents and tools also name the address with the path of its operations.
  return url.href.replace(/(\/api\/v1)?\/?$/, '');
};

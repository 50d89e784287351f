import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { FaultStack } from './fault-stack.ts';

const REPOSITORY = new URL('../../../../', import.meta.url);

/** Runs an operators' command of the worker; returns what it says. */
export const runWorkerCommand = async (
  { database, redis }: Pick<FaultStack, 'database' | 'redis'>,
  name: 'dead-letters' | 'webhooks',
  ...words: string[]
): Promise<string> => {
  const env = { DATABASE_URL: database.url, ...(redis === null ? {} : { REDIS_URL: redis.url }) };
  const command = [`apps/worker/src/${name}.ts`, ...words];
  return (await promisify(execFile)(process.execPath, command, { cwd: REPOSITORY, env })).stdout;
};

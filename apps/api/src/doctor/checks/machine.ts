import { once } from 'node:events';
import { access, constants, statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import type { DoctorContext } from '../context.ts';
import { error, type Finding, type Findings, ok, skipped, warning } from '../finding.ts';

const NODE_MAJOR = 24;
const MB = 1024 * 1024;
/** Free space of the data folder, in bytes: below the first Postgres fills it soon, below the second it does not start. */
const LITTLE_SPACE_BYTES = 1_024 * MB;
const NO_SPACE_BYTES = 100 * MB;

export const checkNode = (): Findings => {
  const { node } = process.versions;
  if (Number(node.split('.')[0]) >= NODE_MAJOR) return ok(`Node ${node}.`);
  return error({
    message: `This is Node ${node}.`,
    why: `API and worker are TypeScript that only Node ${NODE_MAJOR} and newer run.`,
    fix: `Install Node ${NODE_MAJOR}, or use npm start, npm run doctor and the images, which bring it.`,
  });
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

export const checkDisk = async ({ env }: DoctorContext): Promise<Findings> => {
  const { MAILSWEEP_HOME: folder } = env;
  if (folder === undefined)
    return skipped('API and worker write no files; only npm start has a data folder.');
  const variable = 'MAILSWEEP_HOME';
  const existing = await findExisting(folder);
  try {
    await access(existing, constants.W_OK | constants.X_OK);
  } catch {
    const why = 'npm start keeps the database, secrets and logs there.';
    const fix = 'Name a folder that this user may write to.';
    return error({ message: `The data folder ${folder} cannot be written to.`, why, fix, variable });
  }
  const { bavail, bsize } = await statfs(existing);
  const freeBytes = bavail * bsize;
  const message = `${Math.round(freeBytes / MB)} MB are free for the data folder ${folder}.`;
  if (freeBytes >= LITTLE_SPACE_BYTES) return ok(message);
  const report = freeBytes < NO_SPACE_BYTES ? error : warning;
  const why = 'A database without space stops: nothing can be saved.';
  return report({ message, why, fix: 'Free some space, or name a folder on another disk.', variable });
};

type PortVariable = 'PORT' | 'PORT_HTTP' | 'OPERATIONS_PORT' | 'WORKER_PORT';

/** By what a process of ours is recognised on its port. */
const PROBES: Record<PortVariable, { path: string; sign: RegExp }> = {
  PORT: { path: '/api/v1/health', sign: /^\{"status":"ok"\}$/ },
  PORT_HTTP: { path: '/api/v1/health', sign: /^\{"status":"ok"\}$/ },
  OPERATIONS_PORT: { path: '/metrics', sign: /service="api"/ },
  WORKER_PORT: { path: '/metrics', sign: /service="worker"/ },
};

/** Why a port cannot be listened on; undefined when it is free. */
export const findListenError = async (
  port: number,
  host: string | undefined,
): Promise<string | undefined> => {
  const server = createServer();
  try {
    server.listen({ port, host, exclusive: true });
    await once(server, 'listening');
    server.close();
    await once(server, 'close');
    return undefined;
  } catch (cause) {
    return cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown';
  }
};

/** What answers on a port; undefined where nothing does in time. */
const readSign = (port: number, path: string, timeoutMs: number): Promise<string | undefined> =>
  fetch(`http://localhost:${port}${path}`, { signal: AbortSignal.timeout(timeoutMs) })
    .then((response) => response.text())
    .catch((cause: unknown) => (cause instanceof Error && cause.name === 'TimeoutError' ? undefined : ''));

const checkPort = async (
  variable: PortVariable,
  port: number,
  host: string | undefined,
  timeoutMs: number,
): Promise<Finding> => {
  const code = await findListenError(port, host);
  if (code === undefined) return ok(`${variable} ${port} is free.`);
  const why = 'The process that is to listen there ends at its start.';
  if (code !== 'EADDRINUSE')
    return error({
      variable,
      message: `This user cannot listen on port ${port} (${code}).`,
      why,
      fix: 'Set a port above 1023, and an INTERNAL_HOST of this machine.',
    });
  const { path, sign } = PROBES[variable];
  const answer = await readSign(port, path, timeoutMs);
  if (answer === undefined)
    return warning({
      variable,
      message: `What listens on port ${port} did not answer within ${Math.round(timeoutMs / 1_000)} s.`,
      why: 'Either a process of Mailsweep hangs or is very busy, or another program has its port.',
      fix: `Find out which (ss -ltnp); restart it, or set another ${variable}.`,
    });
  if (sign.test(answer)) return ok(`${variable} ${port} is held by a process of Mailsweep.`);
  const message = `Another program listens on port ${port}.`;
  return error({ variable, message, why, fix: `Stop it, or set another ${variable}.` });
};

export const checkPorts = async ({ env, values, leftMs }: DoctorContext): Promise<Findings> => {
  const { INTERNAL_HOST: host } = values;
  const ports: [PortVariable, number | undefined, (string | undefined)?][] = [
    ['PORT', values.PORT],
    ['PORT_HTTP', values.PORT_HTTP],
    ['OPERATIONS_PORT', values.OPERATIONS_PORT, host],
    // In a deployment the worker is often elsewhere, and its default port of no interest here.
    ['WORKER_PORT', env.WORKER_PORT === undefined ? undefined : values.WORKER_PORT, host],
  ];
  const findings = await Promise.all(
    ports.flatMap(([variable, port, address]) =>
      port ? [checkPort(variable, port, address, leftMs())] : [],
    ),
  );
  return findings.length > 0 ? findings : [skipped('No port is set.')];
};

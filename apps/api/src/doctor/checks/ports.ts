import { once } from 'node:events';
import { createServer } from 'node:net';
import type { DoctorContext } from '../context.ts';
import { error, type Finding, ok, skipped } from '../finding.ts';

const PROBE_TIMEOUT_MS = 2_000;

type PortVariable = 'PORT' | 'PORT_HTTP' | 'OPERATIONS_PORT' | 'WORKER_PORT';

/** By what a process of ours is recognised on its port. */
const PROBES: Record<PortVariable, { path: string; sign: RegExp }> = {
  PORT: { path: '/api/v1/health', sign: /^\{"status":"ok"\}$/ },
  PORT_HTTP: { path: '/api/v1/health', sign: /^\{"status":"ok"\}$/ },
  OPERATIONS_PORT: { path: '/metrics', sign: /service="api"/ },
  WORKER_PORT: { path: '/metrics', sign: /service="worker"/ },
};

/** Why a port cannot be listened on; undefined when it is free. */
const findListenError = async (port: number, host: string | undefined): Promise<string | undefined> => {
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

const isOurs = async (port: number, { path, sign }: { path: string; sign: RegExp }): Promise<boolean> => {
  try {
    const response = await fetch(`http://localhost:${port}${path}`, {
      signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
    });
    return sign.test(await response.text());
  } catch {
    // Whatever it is, it does not respond as ours does.
    return false;
  }
};

const checkPort = async (
  variable: PortVariable,
  port: number,
  host: string | undefined,
): Promise<Finding> => {
  const code = await findListenError(port, host);
  if (code === undefined) return ok(`${variable} ${port} is free.`);
  if (code === 'EADDRINUSE' && (await isOurs(port, PROBES[variable])))
    return ok(`${variable} ${port} is held by a process of Mailsweep.`);
  const why = 'The process that is to listen there ends at its start.';
  if (code === 'EADDRINUSE') {
    const message = `Another program listens on port ${port}.`;
    return error({ variable, message, why, fix: `Stop it, or set another ${variable}.` });
  }
  const message = `This user cannot listen on port ${port} (${code}).`;
  return error({
    variable,
    message,
    why,
    fix: 'Set a port above 1023, and an INTERNAL_HOST of this machine.',
  });
};

export const checkPorts = async ({ env, values }: DoctorContext): Promise<Finding[]> => {
  const { INTERNAL_HOST: host } = values;
  const ports: [PortVariable, number | undefined, (string | undefined)?][] = [
    ['PORT', values.PORT],
    ['PORT_HTTP', values.PORT_HTTP],
    ['OPERATIONS_PORT', values.OPERATIONS_PORT, host],
    // In a deployment the worker is often elsewhere, and its default port of no interest here.
    ['WORKER_PORT', env.WORKER_PORT === undefined ? undefined : values.WORKER_PORT, host],
  ];
  const findings = await Promise.all(
    ports.flatMap(([variable, port, address]) => (port ? [checkPort(variable, port, address)] : [])),
  );
  return findings.length > 0 ? findings : [skipped('No port is set.')];
};

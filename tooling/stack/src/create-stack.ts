import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { migrateDatabase } from '@mailsweep/database/migrate';
import { createLogger, type Logger } from '@mailsweep/service-kit';
import type { DataFolder } from './data-folder/data-folder.ts';
import { loadSecrets } from './data-folder/secrets.ts';
import {
  createStackFile,
  PART_NAMES,
  type PartName,
  type PartPids,
  type StackFile,
} from './data-folder/stack-file.ts';
import { createDatabasePart, findConnectionError } from './parts/database.ts';
import {
  createApiPart,
  createGooglePart,
  createMlPart,
  createWebhookInboxPart,
  createWebPart,
  createWorkerPart,
  hasWebApp,
} from './parts/parts.ts';
import { planStack, type StackPlan } from './parts/stack-plan.ts';
import { findPort, type PortWish, releasePorts } from './ports.ts';
import type { StackConfig } from './stack-config.ts';
import { hostPart } from './supervision/hosted-part.ts';
import { createPartLog, type PartLog } from './supervision/part-log.ts';
import { spawnPart } from './supervision/part-process.ts';
import { createSupervisor, type Part } from './supervision/supervisor.ts';
import type { Terminal } from './terminal.ts';

export class DatabaseUnreachableError extends Error {
  override readonly name = 'DatabaseUnreachableError';
}

/** Finds ports and secrets, and makes a stack of all parts, of which none runs yet. */
export const createStack = async (options: {
  config: StackConfig;
  folder: DataFolder;
  terminal: Terminal;
  setupUrl?: string | undefined;
}) => {
  const { config, folder, terminal, setupUrl } = options;
  const ports = await findPorts(config, terminal);
  const secrets = loadSecrets(folder.secretsFile);
  const plan = planStack({
    config,
    folder,
    ports,
    secrets,
    hasWeb: config.given.frontendOrigin === undefined && hasWebApp(config),
    setupUrl,
  });
  const stackFile = createStackFile({ path: folder.stackFile, pid: process.pid, addresses: plan.addresses });
  // One that was killed leaves its file.
  stackFile.remove();
  const logs = new Map<PartName, PartLog>();
  const supervisor = supervise({ folder, terminal, stackFile, logs, logLevel: config.logLevel });

  const startPart = async (part: Part | null): Promise<void> => {
    if (part === null) return;
    const progress = terminal.begin(part.title);
    await supervisor.start(part);
    progress.done();
  };

  return {
    plan,
    /** Resolves when a part has died too often. */
    failure: supervisor.failure,
    /** Brings every part to work, and then says so in the stack's file. */
    async start(): Promise<void> {
      await Promise.all([
        createDatabasePart(plan)
          .then(startPart)
          .then(() => migrate(plan, terminal)),
        startPart(createGooglePart(plan)),
        startPart(createWebhookInboxPart(plan)),
        startPart(createMlPart(plan)),
      ]);
      await Promise.all([startPart(createApiPart(plan)), startPart(createWorkerPart(plan))]);
      await startPart(createWebPart(plan));
      stackFile.publish(supervisor.pids());
    },
    tailOf: (part: Part): string[] => logs.get(part.name)?.tail() ?? [],
    async stop(): Promise<void> {
      stackFile.remove();
      await supervisor.stopAll();
    },
    kill(): void {
      stackFile.remove();
      supervisor.killAll();
    },
  };
};

export type Stack = Awaited<ReturnType<typeof createStack>>;

const findPorts = async (config: StackConfig, terminal: Terminal): Promise<Record<PartName, number>> => {
  const wishes: Partial<Record<PartName, PortWish>> = {
    api: config.apiPort,
    web: config.webPort,
    worker: config.workerPort,
  };
  const ports: Partial<Record<PartName, number>> = {};
  releasePorts();
  for (const name of PART_NAMES) {
    const wish = wishes[name] ?? { preferred: 0 };
    const port = await findPort(wish);
    if (wish.preferred !== 0 && port !== wish.preferred)
      terminal.warn(`Port ${wish.preferred} is taken; ${name} uses ${port} instead.`);
    ports[name] = port;
  }
  return ports as Record<PartName, number>;
};

const supervise = (options: {
  folder: DataFolder;
  terminal: Terminal;
  stackFile: StackFile;
  logs: Map<PartName, PartLog>;
  logLevel: StackConfig['logLevel'];
}) => {
  const { folder, terminal, stackFile, logs, logLevel } = options;
  let pids: PartPids = {};
  const logOf = (part: Part): PartLog => {
    const known = logs.get(part.name);
    if (known) return known;
    const file = join(folder.logsDir, `${part.name}.log`);
    const log = createPartLog({ file, onError: (message) => terminal.warn(`${part.title}: ${message}`) });
    logs.set(part.name, log);
    return log;
  };
  const supervisor = createSupervisor({
    spawn: (part) =>
      'command' in part
        ? spawnPart(part.command, logOf(part))
        : hostPart(part, toLogger(part, logOf(part), logLevel)),
    onRestart: (part, exit) => terminal.warn(`${part.title} ${exit}; it is started again.`),
    onPids: (known) => {
      pids = known;
      stackFile.refresh(known);
    },
    killPid: endPostgresAtOnce,
  });
  return { ...supervisor, pids: () => pids };
};

/** Writes into a part's log file, as a process of its own would. */
const toLogger = (part: Part, log: PartLog, level: StackConfig['logLevel']): Logger => {
  const destination = { write: (line: string) => void writeSync(log.descriptor, line) };
  return createLogger({ service: part.name, level, destination });
};

/** Postgres's "immediate" shutdown; the next start recovers. It runs in a process group of its own. */
const endPostgresAtOnce = (pid: number): void => {
  try {
    process.kill(pid, 'SIGQUIT');
  } catch (error) {
    // It has ended already.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
};

const migrate = async ({ config, migrationsUrl }: StackPlan, terminal: Terminal): Promise<void> => {
  const progress = terminal.begin('Migrations');
  if (config.given.databaseUrl !== undefined) {
    const connectionError = await findConnectionError(migrationsUrl);
    if (connectionError !== null)
      throw new DatabaseUnreachableError(`The database in DATABASE_URL can't be reached: ${connectionError}`);
  }
  const applied = await migrateDatabase({ databaseUrl: migrationsUrl });
  progress.done(applied.length > 0 ? `${applied.length} applied` : undefined);
};

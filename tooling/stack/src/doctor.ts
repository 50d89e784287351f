// `npm run doctor`: finds out what npm start runs, or would run, and has the doctor of the API check it.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { ConfigError } from '@mailsweep/service-kit';
import { dataFolderAt } from './data-folder/data-folder.ts';
import { loadSecrets } from './data-folder/secrets.ts';
import { PART_NAMES, type StackAddresses } from './data-folder/stack-file.ts';
import { isRunning } from './database/process-table.ts';
import { createApiPart, createWorkerPart } from './parts/parts.ts';
import { planStack } from './parts/stack-plan.ts';
import { REPOSITORY } from './repository.ts';
import { DEFAULT_DATA_DIR, readEnvironment, readStackConfig, type StackConfig } from './stack-config.ts';

/** What npm start provides itself, unless one of a group is set. */
const PROVIDED = [
  ['DATABASE_URL', 'DB_HOST', 'DB_USER', 'DB_NAME'],
  ['OAUTH_CLIENT_ID', 'OAUTH_CLIENT_SECRET', 'OAUTH_ISSUER', 'GMAIL_BASE_URL'],
  ...[
    'OAUTH_REDIRECT_URI',
    'FRONTEND_ORIGIN',
    'TOKEN_ENCRYPTION_KEY',
    'INTERNAL_JWT_SECRET',
    'ML_BASE_URL',
  ].map((name) => [name]),
  ['PORT'],
  ['WORKFLOW_WEBHOOK_URL'],
];
/** With so many groups set, the variables describe processes that run without npm start: what is missing is then an error. */
const MOST_GROUPS = 5;

/** Where the parts of a running stack are; undefined when none runs. One that was killed leaves its file. */
const readAddresses = (stackFile: string): StackAddresses | undefined => {
  if (!existsSync(stackFile)) return undefined;
  const { pid, ...addresses } = JSON.parse(readFileSync(stackFile, 'utf8')) as StackAddresses & {
    pid: number;
  };
  return isRunning(pid) ? addresses : undefined;
};

/** The variables of API and worker as a running stack gives them. */
const toRunningEnvironment = (config: StackConfig, addresses: StackAddresses): Record<string, string> => {
  const folder = dataFolderAt(config.dataDir);
  const portOf = (url: string | null | undefined) => Number(url ? new URL(url).port : 0);
  const ports = Object.fromEntries(
    PART_NAMES.map((name) => [name, portOf(name === 'worker' ? null : addresses[name])]),
  ) as Parameters<typeof planStack>[0]['ports'];
  const secrets = loadSecrets(folder.secretsFile);
  const plan = planStack({ config, folder, ports, secrets, hasWeb: addresses.web !== null });
  const env = { ...createWorkerPart(plan).command.env, ...createApiPart(plan).command.env };
  const { WORKER_PORT } = config.environment;
  return WORKER_PORT === undefined
    ? Object.fromEntries(Object.entries(env).filter(([name]) => name !== 'WORKER_PORT'))
    : { ...env, WORKER_PORT };
};

const readConfigIfValid = (): StackConfig | undefined => {
  try {
    return readStackConfig({ arguments: [] });
  } catch (error) {
    // The doctor names what is wrong.
    if (error instanceof ConfigError) return undefined;
    throw error;
  }
};

const environment = readEnvironment();
const home = environment.MAILSWEEP_HOME ?? DEFAULT_DATA_DIR;
const dataDir = isAbsolute(home) ? home : join(REPOSITORY, home);
const config = readConfigIfValid();
const addresses = readAddresses(dataFolderAt(dataDir).stackFile);
const writeError = (line: string) => void process.stderr.write(`${line}\n`);

let env: Record<string, string> = environment;
let provided: string[] = [];
if (config !== undefined && addresses !== undefined) {
  writeError(`npm start runs in ${dataDir}: this checks what it runs.`);
  env = toRunningEnvironment(config, addresses);
} else if (PROVIDED.filter((group) => group.some((name) => environment[name])).length >= MOST_GROUPS) {
  writeError('This checks API and worker as the variables describe them. npm start does not run.');
} else {
  writeError(
    'npm start does not run: this checks the variables that are set, and not what npm start provides itself.',
  );
  provided = PROVIDED.filter((group) => !group.some((name) => environment[name])).flat();
}
const { status } = spawnSync(
  process.execPath,
  [
    join(REPOSITORY, 'apps/api/src/doctor.ts'),
    ...process.argv.slice(2),
    ...provided.map((name) => `--provided=${name}`),
  ],
  { env: { ...env, MAILSWEEP_HOME: dataDir }, stdio: 'inherit' },
);
process.exitCode = status ?? 1;

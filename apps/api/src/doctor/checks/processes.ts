import {
  countReadableConnections,
  createTokenCipher,
  type ProcessName,
  parseProcessName,
  toFingerprints,
} from '@mailsweep/provider-connection';
import { VERSION } from '@mailsweep/service-kit';
import { type DoctorContext, explainMissing } from '../context.ts';
import { listProgramNames } from '../database.repository.ts';
import { error, type Finding, faultsOr, skipped, warning } from '../finding.ts';

const TITLES: Record<string, string> = { api: 'API', worker: 'worker' };
const titleOf = ({ service }: ProcessName): string => TITLES[service] ?? service;

const checkPresence = (running: readonly ProcessName[]): Finding[] => {
  const has = (service: string) => running.some((process) => process.service === service);
  const fix =
    'Start what is missing with the same DATABASE_URL; if it runs, look at its log. A pooler in front of Postgres may hide it.';
  if (!has('api') && !has('worker'))
    return [
      warning({
        message: 'Neither an API nor a worker is connected to this database.',
        why: 'Before the first start that is as it should be.',
        fix,
      }),
    ];
  const missing = ['api', 'worker'].filter((service) => !has(service));
  return missing.map((service) =>
    error({
      message:
        service === 'worker'
          ? 'No worker is connected to this database.'
          : 'No API is connected to this database.',
      why:
        service === 'worker'
          ? 'Events are not delivered; scans, cleanups, watches and notifications stand still.'
          : 'Users get no answer, and events stay in the outbox.',
      fix,
    }),
  );
};

const checkKeys = (process: ProcessName, ours: readonly string[]): Finding[] => {
  const [current = ''] = ours;
  if (process.keys.length === 0 || process.keys.includes(current)) return [];
  return [
    error({
      variable: 'TOKEN_ENCRYPTION_KEY',
      message: `The ${titleOf(process)} that runs has another TOKEN_ENCRYPTION_KEY than these variables.`,
      why: 'What one process encrypts, the other cannot read: mailboxes cannot be opened, and their users have to sign in again.',
      fix: 'Give API and worker the same key, and restart them; docs/OPERATIONS.md, "Rotate keys", says how to change it.',
    }),
  ];
};

const checkVersion = (process: ProcessName): Finding[] =>
  process.version === VERSION
    ? []
    : [
        warning({
          message: `The ${titleOf(process)} that runs is of version ${process.version}, and this is ${VERSION}.`,
          why: 'Versions may differ during an upgrade, not for long.',
          fix: 'Complete the upgrade: migrate the database, then restart API and worker with the same version.',
        }),
      ];

/**
 * Whether API and worker run, in one version and with the keys that these variables have. Each names itself in its connections
 * to the database, so that they are seen on whatever machine they run.
 */
export const checkProcesses = async ({ database, values }: DoctorContext): Promise<Finding[]> => {
  const names = await listProgramNames(database);
  const running = names.map(parseProcessName).filter((process) => process !== undefined);
  const findings = checkPresence(running);
  const { TOKEN_ENCRYPTION_KEY: current, TOKEN_ENCRYPTION_KEY_PREVIOUS: previous } = values;
  for (const process of running) {
    findings.push(...checkVersion(process));
    if (current !== undefined) findings.push(...checkKeys(process, toFingerprints({ current, previous })));
  }
  const workers = running.filter(({ service }) => service === 'worker');
  if (workers.length > 0 && workers.every(({ keys }) => keys.length === 0))
    findings.push(
      warning({
        variable: 'TOKEN_ENCRYPTION_KEY',
        message: 'No worker that runs has keys.',
        why: 'Scans, cleanups and watches wait; events are delivered.',
        fix: 'Give a worker TOKEN_ENCRYPTION_KEY, OAUTH_CLIENT_ID, OAUTH_CLIENT_SECRET and ML_BASE_URL.',
      }),
    );
  return faultsOr(`API and worker run version ${VERSION}, with the same keys.`, ...findings);
};

/** Whether the keys read what is stored: not after a restore with another key, or a rotation that was cut short. */
export const checkStoredTokens = async (context: DoctorContext): Promise<Finding[]> => {
  const { TOKEN_ENCRYPTION_KEY: current, TOKEN_ENCRYPTION_KEY_PREVIOUS: previous } = context.values;
  if (current === undefined) return [skipped(explainMissing(context, 'TOKEN_ENCRYPTION_KEY'))];
  const tokenCipher = createTokenCipher({ current, previous });
  const { readable, unreadable } = await countReadableConnections({
    database: context.database,
    tokenCipher,
  });
  return faultsOr(
    `${readable} connections to mailboxes are stored, and the keys read them.`,
    unreadable > 0 &&
      error({
        variable: 'TOKEN_ENCRYPTION_KEY',
        message: `${unreadable} of ${readable + unreadable} connections to mailboxes were encrypted with another key.`,
        why: 'These mailboxes cannot be opened: their users have to sign in again.',
        fix: 'Set the key that the database was used with as TOKEN_ENCRYPTION_KEY, or as TOKEN_ENCRYPTION_KEY_PREVIOUS during a rotation.',
      }),
  );
};

import { explainDatabaseError, isDatabaseUnavailable } from '@mailsweep/database';
import { withDeadline } from '@mailsweep/service-kit';
import {
  checkAddresses,
  checkPublicAddress,
  checkSignIn,
  checkTls,
  checkWebApp,
} from './checks/addresses.ts';
import { checkClassification, checkShadow } from './checks/classification.ts';
import {
  checkConnections,
  checkDatabase,
  checkMigrations,
  checkProcesses,
  checkRights,
  checkStoredTokens,
} from './checks/database.ts';
import { checkDisk, checkNode, checkPorts } from './checks/machine.ts';
import { checkClient, checkGmail, checkJmapProviders, checkProvider } from './checks/provider.ts';
import { checkQueue, checkRedis } from './checks/queue.ts';
import { checkKeys, checkPushKeys, checkVariables } from './checks/variables.ts';
import { checkWebhook } from './checks/webhook.ts';
import { type DoctorContext, databaseVariable, MissingVariableError } from './context.ts';
import { error, type Finding, type Findings, skipped } from './finding.ts';

export const CHECKS: readonly Check[] = [
  { name: 'node', run: checkNode },
  { name: 'disk', run: checkDisk },
  { name: 'variables', run: checkVariables },
  { name: 'keys', run: checkKeys },
  { name: 'push keys', run: checkPushKeys },
  { name: 'ports', run: checkPorts },
  { name: 'addresses', run: checkAddresses },
  { name: 'tls', run: checkTls },
  { name: 'public address', run: checkPublicAddress },
  { name: 'web app', run: checkWebApp },
  { name: 'sign-in', run: checkSignIn },
  { name: 'database', run: checkDatabase },
  { name: 'migrations', needs: ['database'], run: checkMigrations },
  { name: 'rights', needs: ['database'], run: checkRights },
  { name: 'connections', needs: ['database'], run: checkConnections },
  { name: 'processes', needs: ['database'], run: checkProcesses },
  { name: 'stored tokens', needs: ['migrations'], run: checkStoredTokens },
  { name: 'redis', run: checkRedis },
  { name: 'queue', needs: ['migrations', 'redis'], run: checkQueue },
  { name: 'provider', run: checkProvider },
  { name: 'oauth client', needs: ['provider'], run: checkClient },
  { name: 'gmail', run: checkGmail },
  { name: 'jmap providers', run: checkJmapProviders },
  { name: 'classification', run: checkClassification },
  { name: 'shadow classification', run: checkShadow },
  { name: 'webhook', run: checkWebhook },
];

interface Check {
  name: string;
  /** Prerequisites. */
  needs?: readonly string[];
  run: (context: DoctorContext) => Promise<Findings> | Findings;
}

export type NamedFinding = { check: string } & Finding;

/** The end of a check that threw. Messages of drivers may hold addresses; the report takes secrets out of them. */
const explainThrown = (check: string, cause: unknown, context: DoctorContext): Finding => {
  if (cause instanceof MissingVariableError) return skipped(cause.message);
  const isDatabase = isDatabaseUnavailable(cause);
  const reason = isDatabase
    ? explainDatabaseError(cause)
    : cause instanceof Error
      ? cause.message
      : String(cause);
  return error({
    ...(isDatabase && { variable: databaseVariable(context, reason) }),
    message: `The check "${check}" could not be completed: ${reason.trim().replace(/\.$/, '')}.`,
    why: 'Nothing is known about this part.',
    fix: 'See to what the message names, and run the doctor again.',
  });
};

/**
 * Runs all checks side by side, each after its prerequisites; findings come in the order of the checks.
 *
 * @param timeoutMs - when all of them end; what calls something ends before, and says what took too long
 */
export const runChecks = async (
  checks: readonly Check[],
  context: DoctorContext,
  timeoutMs: number,
): Promise<NamedFinding[]> => {
  const endsAtMs = performance.now() + timeoutMs;
  const runs = new Map<string, Promise<Finding[]>>();
  for (const check of checks) {
    const needs = (check.needs ?? []).map(async (name) => ({ name, findings: (await runs.get(name)) ?? [] }));
    const run = Promise.all(needs).then(async (done): Promise<Finding[]> => {
      const failed = done.find(({ findings }) =>
        findings.some(({ status }) => status === 'error' || status === 'skipped'),
      );
      if (failed) return [skipped(`The check "${failed.name}" did not succeed.`)];
      const running = Promise.resolve().then(() => check.run(context));
      const tooLate = () => new Error(`it did not end within ${Math.round(timeoutMs / 1_000)} s`);
      const findings = await withDeadline(running, endsAtMs - performance.now(), tooLate).catch(
        (cause: unknown) => explainThrown(check.name, cause, context),
      );
      return [findings].flat();
    });
    runs.set(check.name, run);
  }
  const all = [...runs].map(async ([check, run]) => (await run).map((finding) => ({ check, ...finding })));
  return (await Promise.all(all)).flat();
};

import { type ApiClient, createClient, isProblem, type Me, type Scan, type Watch } from '@mailsweep/client';
import type { Command } from 'commander';
import { type Context, DEFAULT_API, findCredentials, namedApi } from '../context.ts';
import type { Credentials } from '../credentials.ts';
import { EXIT, Failure } from '../failures.ts';
import { countOf, toDuration, toTime } from '../output/text.ts';

interface Finding {
  check: 'api' | 'clock' | 'database' | 'token' | 'mailbox' | 'scan' | 'watch';
  state: 'ok' | 'warning' | 'problem';
  message: string;
  remedy?: string;
}

/** Unit: ms. */
const TIME_LIMIT_MS = 10_000;
/** A clock that is off by more makes times hard to understand, and tokens end early or late. Unit: seconds. */
const MAX_CLOCK_SKEW_S = 60;
/** Time left of a token from which on its user is told. Unit: ms. */
const TOKEN_ENDS_SOON_MS = 7 * 86_400_000;

const ok = (check: Finding['check'], message: string): Finding => ({ check, state: 'ok', message });

const fault =
  (state: 'warning' | 'problem') =>
  (check: Finding['check'], message: string, remedy: string): Finding => ({ check, state, message, remedy });
const warning = fault('warning');
const problem = fault('problem');

const examineClock = (dateHeader: string | null, sentAtMs: number): Finding[] => {
  const theirsMs = Date.parse(dateHeader ?? '');
  if (Number.isNaN(theirsMs)) return [];
  const skewS = Math.round((theirsMs - (sentAtMs + Date.now()) / 2) / 1_000);
  if (Math.abs(skewS) <= MAX_CLOCK_SKEW_S) return [ok('clock', 'The clock agrees with that of the API.')];
  const message = `The clock of this computer is ${toDuration(Math.abs(skewS))} ${skewS > 0 ? 'behind' : 'ahead of'} that of the API.`;
  const remedy = 'Have the system set its clock by itself; if it does, tell the operator of the API.';
  return [warning('clock', message, remedy)];
};

/** Whether there is an API of Mailsweep at the address, and how it is. */
const examineApi = async (api: string, signal: AbortSignal): Promise<Finding[]> => {
  let date: string | null = null;
  const client = createClient({
    baseUrl: api,
    retries: 0,
    timeLimitMs: TIME_LIMIT_MS,
    async fetch(url, init) {
      const response = await fetch(url, init);
      date = response.headers.get('date');
      return response;
    },
  });
  const sentAtMs = Date.now();
  try {
    await client.checkHealth({ signal });
  } catch (error) {
    if (signal.aborted) throw error;
    const remedy = 'Check the address (--api) and the network, and whether the API runs.';
    return [problem('api', `${api} does not respond as Mailsweep’s API does.`, remedy)];
  }
  const alive = ok('api', `${api} responds within ${toDuration((Date.now() - sentAtMs) / 1_000)}.`);
  const clock = examineClock(date, sentAtMs);
  try {
    await client.checkDatabaseHealth({ signal });
    return [alive, ...clock, ok('database', 'The API reaches its database.')];
  } catch (error) {
    if (signal.aborted) throw error;
    const remedy = 'Try again in a minute; if that does not help, tell the operator.';
    return [alive, ...clock, problem('database', 'The API does not reach its database.', remedy)];
  }
};

const examineToken = ({ token, sessionExpiresAt, email }: Me): Finding => {
  const message = token
    ? `Signed in as ${email}, with a token of the scope ${token.scope} until ${toTime(sessionExpiresAt)}.`
    : `Signed in as ${email} until ${toTime(sessionExpiresAt)}.`;
  return Date.parse(sessionExpiresAt) - Date.now() > TOKEN_ENDS_SOON_MS
    ? ok('token', message)
    : warning('token', message, 'Sign in again before that: mailsweep login');
};

const examineMailbox = async (client: ApiClient, me: Me, signal: AbortSignal): Promise<Finding> => {
  const signInAgain = 'Sign in to the web app, and allow access to Gmail.';
  if (me.connection === 'reauth_required')
    return problem('mailbox', 'The connection to Gmail has ended.', signInAgain);
  try {
    const { inbox } = await client.getMailboxOverview({ signal });
    return ok('mailbox', `Gmail responds: ${countOf(inbox.total, 'email')} in the inbox.`);
  } catch (error) {
    if (!isProblem(error)) throw error;
    return problem('mailbox', error.problem.detail, signInAgain);
  }
};

const describeScan = (scan: Scan | undefined): Finding => {
  if (scan !== undefined && scan.state !== 'failed') return ok('scan', `The last scan is ${scan.state}.`);
  const message = scan ? `The last scan failed (${scan.error}).` : 'The mailbox was never scanned.';
  return warning('scan', message, 'Scan with: mailsweep scan');
};

const examineWork = async (client: ApiClient, signal: AbortSignal): Promise<Finding[]> => {
  const [scans, watch] = await Promise.all([
    client.listScans({ query: { perPage: 1 }, signal }),
    client.getWatch({ signal }),
  ]);
  return [describeScan(scans.data[0]), describeWatch(watch)];
};

const describeWatch = ({ state, error }: Watch): Finding => {
  if (state !== 'waiting' && state !== 'reconnect_required')
    return ok('watch', `The watch for new email is ${state}.`);
  const remedy = state === 'waiting' ? 'It goes on by itself.' : 'It goes on after you have signed in again.';
  return warning('watch', `The watch for new email does not run now (${error ?? state}).`, remedy);
};

/**
 * Checks all that the program needs, in the order in which one part rests on the other; what rests on a part with a
 * problem is not checked.
 *
 * @param credentials - null where nobody is signed in
 */
const examine = async (
  api: string,
  credentials: Credentials | null,
  signal: AbortSignal,
): Promise<Finding[]> => {
  const findings = await examineApi(api, signal);
  if (findings.some(({ state }) => state === 'problem')) return findings;
  const signIn = 'Sign in with: mailsweep login';
  if (credentials === null) return [...findings, problem('token', 'You are not signed in.', signIn)];
  const client = createClient({ baseUrl: api, token: credentials.token, timeLimitMs: TIME_LIMIT_MS });
  try {
    const me = await client.getMe({ signal });
    findings.push(examineToken(me), await examineMailbox(client, me, signal));
    return [...findings, ...(await examineWork(client, signal))];
  } catch (error) {
    if (!isProblem(error, 'unauthorized')) throw error;
    const message = 'The API does not take the token: it has ended, or was revoked.';
    return [...findings, problem('token', message, signIn)];
  }
};

const MARKS = {
  ok: { text: '✓', style: 'green' },
  warning: { text: '!', style: 'yellow' },
  problem: { text: '✗', style: 'red' },
} as const;

const showFindings = async (context: Context): Promise<void> => {
  const { output, terminal } = context;
  // That nobody is signed in is a finding, too.
  const credentials = await findCredentials(context).catch((error: unknown) => {
    if (error instanceof Failure && error.exitCode === EXIT.notSignedIn) return null;
    throw error;
  });
  const api = credentials?.api ?? namedApi(context) ?? DEFAULT_API;
  const findings = await examine(api, credentials, terminal.signal);
  const problems = findings.filter(({ state }) => state === 'problem');
  if (output.isJson) output.document({ api, healthy: problems.length === 0, findings });
  else for (const finding of findings) show(context, finding);
  if (problems.length > 0) throw new Failure('problem_found', 'See what to do about it above.');
};

const show = ({ output }: Context, { state, message, remedy }: Finding): void => {
  output.line(MARKS[state], ` ${message}`);
  if (remedy) output.line(`  ${remedy}`);
};

export const addDoctor = (program: Command, context: Context): void => {
  program
    .command('doctor')
    .description('check the address, the API, your token, Gmail, the scan and the watch')
    .action(() => showFindings(context));
};

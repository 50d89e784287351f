import { setTimeout as delay } from 'node:timers/promises';
import { createGmailMailbox } from '@mailsweep/gmail-mailbox';
import type { BehaviourChange } from '@mailsweep/google-sandbox';
import type { Check, Finding } from './check.ts';
import { checkAccess } from './checks/access.ts';
import { changesCheck } from './checks/changes.ts';
import { labelsCheck } from './checks/labels.ts';
import { listsCheck } from './checks/lists.ts';
import { messagesCheck } from './checks/messages.ts';
import { oddMessagesCheck } from './checks/odd-messages.ts';
import { questionsCheck } from './checks/questions.ts';
import { coldPageCheck, quotaFinding } from './checks/quota.ts';
import { undoCheck } from './checks/undo.ts';
import { type CleanUpReport, cleanUp } from './clean-up.ts';
import { createGmailClient, GmailCallError, type QuotaRefusal } from './gmail-client.ts';
import { createPacer } from './pacer.ts';
import type { LiveCheckReport } from './report.ts';
import { fillWorkspace, type Workspace } from './workspace.ts';

const INSERT_UNITS = 25;
/** The forwarded message and those for the check of categories. */
const OTHER_MESSAGES = 4;
const CLEAN_UP_UNITS = 200;

// Cold pages first: nothing has read the messages then.
const CHECKS: readonly Check[] = [
  coldPageCheck,
  messagesCheck,
  questionsCheck,
  listsCheck,
  undoCheck,
  oddMessagesCheck,
  changesCheck,
  labelsCheck,
];

export interface LiveCheckOptions {
  /** Address of the Gmail API. */
  gmailUrl: string;
  accessToken: string;
  /** Findings of the sign-in. */
  findings: Finding[];
  /** How many plain messages are inserted: what the largest batch changes. */
  messages: number;
  unitsPerMinute: number;
  /** When the history is read after a change, in milliseconds. */
  historyReadsMs: readonly number[];
  ask: (question: string) => Promise<boolean | undefined>;
  /** Shows progress. */
  tell: (line: string) => void;
  /** Ends the run; cleaning up goes on. */
  signal: AbortSignal;
}

/** About how many quota units a run uses. */
export const estimateUnits = (messages: number): number =>
  (messages + OTHER_MESSAGES) * INSERT_UNITS +
  CHECKS.reduce((sum, check) => sum + check.units(messages), 0) +
  CLEAN_UP_UNITS;

/** What may be said of an error in a report: never its message, which may quote mail, unless it is ours. */
const describeError = (error: unknown): string => {
  if (error instanceof GmailCallError) return error.message;
  return error instanceof Error ? `${error.name} in the check` : 'unknown error';
};

/** Takes away what earlier runs have left, without running a check. */
export const cleanUpOnly = (
  options: Pick<LiveCheckOptions, 'gmailUrl' | 'accessToken' | 'unitsPerMinute'>,
): Promise<CleanUpReport> =>
  cleanUp(
    createGmailClient({
      baseUrl: options.gmailUrl,
      accessToken: options.accessToken,
      pacer: createPacer(options),
    }),
    new Set(),
  );

/**
 * Runs all checks on messages of its own, and takes them away again, whatever happens. What earlier runs have left is
 * taken away first.
 */
export const runLiveCheck = async (options: LiveCheckOptions): Promise<LiveCheckReport> => {
  const { gmailUrl: baseUrl, accessToken, signal, tell } = options;
  const pacer = createPacer(options);
  const refusals: QuotaRefusal[] = [];
  const gmail = createGmailClient({ baseUrl, accessToken, pacer, refusals, signal });
  // Not ended by the signal.
  const cleaner = createGmailClient({ baseUrl, accessToken, pacer, refusals });
  const findings: Finding[] = [...options.findings];
  const behaviours: BehaviourChange[] = [];
  const ownIds = new Set<string>();
  let interrupted: string | undefined;
  let cleaned: CleanUpReport | undefined;

  const access = await checkAccess(gmail);
  findings.push(...access.findings);
  if (access.isOpen) {
    try {
      await cleanUp(cleaner, new Set());
      await runChecks();
    } catch (error) {
      interrupted = signal.aborted ? 'ended by its owner' : describeError(error);
    }
    tell('Cleaning up');
    cleaned = await cleanUp(cleaner, ownIds).catch(() => undefined);
  } else {
    interrupted = 'Gmail does not take calls of this project or account';
    cleaned = { messages: 0, drafts: 0, labels: 0, foreignMessages: 0 };
  }
  findings.push(quotaFinding(refusals));
  return {
    day: new Date().toISOString().slice(0, 10),
    messages: options.messages,
    units: pacer.used,
    findings,
    behaviour: Object.assign({}, ...behaviours),
    cleanUp: cleaned,
    interrupted,
  };

  async function runChecks(): Promise<void> {
    tell(`Inserting ${options.messages + OTHER_MESSAGES} messages`);
    const workspace = await fillWorkspace(gmail, {
      messages: options.messages,
      onInserted: (id, done) => {
        ownIds.add(id);
        if (done % 100 === 0) tell(`  ${done} inserted`);
      },
    });
    for (const check of CHECKS) {
      signal.throwIfAborted();
      tell(check.title);
      await runCheck(check, workspace);
    }
  }

  async function runCheck(check: Check, workspace: Workspace): Promise<void> {
    try {
      const { findings: found, behaviour } = await check.run({
        gmail,
        mailbox: openMailbox(options),
        workspace,
        historyReadsMs: options.historyReadsMs,
        pause: (ms) => delay(ms, undefined, { signal }),
        ask: options.ask,
      });
      findings.push(...found);
      if (behaviour !== undefined) behaviours.push(behaviour);
    } catch (error) {
      signal.throwIfAborted();
      findings.push({
        id: `failed: ${check.title}`,
        title: check.title,
        expected: 'the check works',
        observed: describeError(error),
        verdict: 'failed',
      });
    }
  }
};

/** The product's mailbox, as the API opens it but for the cache. */
const openMailbox = ({ gmailUrl, accessToken }: LiveCheckOptions) =>
  createGmailMailbox({
    baseUrl: gmailUrl,
    accessTokens: { current: async () => accessToken, renew: async () => accessToken },
  });

import { createGmailHttp, findAccessError, type GmailSession, MailboxError } from '@mailsweep/gmail';
import {
  createMemoryQuotaStore,
  createQuotaGovernor,
  meterQuota,
  SYSTEM_CLOCK,
} from '@mailsweep/mailbox-quota';
import { createGmailMailbox, type Mailbox } from '@mailsweep/mailbox-sync';
import { CHECKS, type CheckContext, compare, type Finding } from './checks.ts';
import type { LiveCheckReport } from './report.ts';
import { type CleanUpReport, cleanUp, insertMessages } from './test-messages.ts';

const INSERT_UNITS = 25;
const CLEAN_UP_UNITS = 200;
/** Google publishes no duration for the longest call, a batchModify of 1,000 messages. */
const CALL_TIMEOUT_MS = 90_000;
/** Inserting 1,000 messages waits some five minutes for its quota units. */
const RETRY_BUDGET_MS = 10 * 60_000;
const MAX_RESPONSE_BYTES = 8 * 1024 * 1024;

export interface LiveCheckOptions {
  /** Address of the Gmail API. */
  gmailUrl: string;
  accessToken: string;
  /** How many messages are inserted: what the largest batch changes. */
  messages: number;
  unitsPerMinute: number;
  /** Shows progress. */
  tell: (line: string) => void;
  /** Ends the run; cleaning up goes on. */
  signal: AbortSignal;
}

/** About how many quota units a run uses. */
export const estimateUnits = (messages: number): number =>
  messages * INSERT_UNITS + CHECKS.reduce((sum, check) => sum + check.units(messages), 0) + CLEAN_UP_UNITS;

/** What may be said of an error in a report: its code, never a message that may quote mail. */
const describeError = (error: unknown): string => {
  if (error instanceof MailboxError) return error.message;
  return error instanceof Error ? `${error.name} in the check` : 'unknown error';
};

interface Access {
  mailbox: Mailbox;
  withSession<T>(work: (session: GmailSession) => Promise<T>): Promise<T>;
}

/** Gmail as the product uses it, but for the cache. */
const createAccess = (options: Omit<LiveCheckOptions, 'messages' | 'tell' | 'signal'>) => {
  const { gmailUrl: baseUrl, accessToken, unitsPerMinute } = options;
  const used = { units: 0, pauses: 0 };
  const governor = meterQuota(
    createQuotaGovernor({
      store: createMemoryQuotaStore({ unitsPerMinute, interactiveReserve: 0 }),
      clock: SYSTEM_CLOCK,
      observe: ({ type }) => {
        if (type === 'paused') used.pauses += 1;
      },
    }),
    (units) => {
      used.units += units;
    },
  );
  const open = (signal?: AbortSignal): Access => {
    const shared = {
      baseUrl,
      accessTokens: { current: async () => accessToken, renew: async () => accessToken },
      userId: 'live-check',
      governor,
      priority: 'interactive',
      signal,
      batchReads: true,
      callTimeoutMs: CALL_TIMEOUT_MS,
      batchModifyTimeoutMs: CALL_TIMEOUT_MS,
      retryBudgetMs: RETRY_BUDGET_MS,
      maxResponseBytes: MAX_RESPONSE_BYTES,
      clock: SYSTEM_CLOCK,
      random: Math.random,
    } as const;
    return { mailbox: createGmailMailbox(shared), withSession: createGmailHttp(shared).withSession };
  };
  return { open, used };
};

const cleanUpThrough = ({ mailbox, withSession }: Access, ownIds: ReadonlySet<string>) =>
  withSession((session) => cleanUp(session, mailbox, ownIds));

/** Takes away what earlier runs have left, without running a check. */
export const cleanUpOnly = (
  options: Pick<LiveCheckOptions, 'gmailUrl' | 'accessToken' | 'unitsPerMinute'>,
): Promise<CleanUpReport> => cleanUpThrough(createAccess(options).open(), new Set());

/**
 * Runs all checks on messages of its own, and takes them away again, whatever happens. What earlier runs have left is
 * taken away first.
 */
export const runLiveCheck = async (options: LiveCheckOptions): Promise<LiveCheckReport> => {
  const { accessToken, gmailUrl, messages, signal, tell } = options;
  const { open, used } = createAccess(options);
  const access = open(signal);
  // Not ended by the signal.
  const cleaner = open();
  const ownIds = new Set<string>();
  let interrupted: string | undefined;
  let cleaned: CleanUpReport | undefined = { messages: 0, foreignMessages: 0 };

  const accessError = await findAccessError({ baseUrl: gmailUrl, accessToken });
  const findings: Finding[] = [
    compare({
      title: 'The Gmail API takes calls',
      expected: 'yes',
      observed: accessError === undefined ? 'yes' : accessError.message,
    }),
  ];
  if (accessError === undefined) {
    try {
      await cleanUpThrough(cleaner, new Set());
      await access.withSession(runChecks);
    } catch (error) {
      interrupted = signal.aborted ? 'ended by its owner' : describeError(error);
    }
    tell('Cleaning up');
    cleaned = await cleanUpThrough(cleaner, ownIds).catch(() => undefined);
  } else interrupted = 'Gmail does not take calls of this project or account';
  findings.push(
    compare({
      title: 'How often Gmail asked to slow down',
      expected: 'never',
      observed: used.pauses === 0 ? 'never' : `${used.pauses} times`,
    }),
  );
  const day = new Date().toISOString().slice(0, 10);
  return { day, messages, units: used.units, findings, cleanUp: cleaned, interrupted };

  async function runChecks(session: GmailSession): Promise<void> {
    tell(`Inserting ${messages} messages`);
    await insertMessages(session, messages, (id) => {
      ownIds.add(id);
      if (ownIds.size % 100 === 0) tell(`  ${ownIds.size} inserted`);
    });
    for (const check of CHECKS) {
      signal.throwIfAborted();
      tell(check.title);
      const context: CheckContext = { session, mailbox: access.mailbox, messageIds: [...ownIds] };
      try {
        findings.push(...(await check.run(context)));
      } catch (error) {
        signal.throwIfAborted();
        const observed = describeError(error);
        findings.push({ title: check.title, expected: 'the check works', observed, verdict: 'failed' });
      }
    }
  }
};

import { setTimeout as delay } from 'node:timers/promises';
import type { BehaviourChange } from '@mailsweep/google-sandbox';
import { createGmailMailbox } from '@mailsweep/mail/gmail';
import { toProfileRequest } from '@mailsweep/mail/gmail/api';
import { HttpExchangeError } from '@mailsweep/service-kit/http-client';
import { type Check, compare, type Finding } from './check.ts';
import { changesCheck, labelsCheck, undoCheck } from './checks/changes.ts';
import {
  coldPageCheck,
  listsCheck,
  messagesCheck,
  oddMessagesCheck,
  questionsCheck,
} from './checks/reading.ts';
import { describeResponse, GmailCallError, isSuccess, openGmail, READ_UNITS } from './gmail-client.ts';
import { type CleanUpReport, cleanUp, fillWorkspace, type Workspace } from './workspace.ts';

const INSERT_UNITS = 25;
/** The forwarded message and those for the check of categories. */
const OTHER_MESSAGES = 4;

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
  gmailUrl: string;
  accessToken: string;
  findings: Finding[];
  /** How many plain messages are inserted: what the largest batch changes. */
  messages: number;
  unitsPerMinute: number;
  historyReadsMs: readonly number[];
  ask: (question: string) => Promise<boolean | undefined>;
  tell: (line: string) => void;
  /** Ends the run; cleaning up goes on. */
  signal: AbortSignal;
}

/** About how many quota units a run uses: for insertions, a cold page, and all else, which hardly depends on their number. */
export const estimateUnits = (messages: number): number =>
  messages * INSERT_UNITS + Math.min(messages, 100) * READ_UNITS + 3_000;

/** All that a run came to. It holds no personal data. */
export interface LiveCheckReport {
  /** A day, such as 2026-05-01. */
  day: string;
  messages: number;
  /** Quota units used by our own count. */
  units: number;
  findings: Finding[];
  /** Settings of the Google sandbox that reproduce what was observed. */
  behaviour: BehaviourChange;
  cleanUp: CleanUpReport | undefined;
  /** Why the run ended before its end; undefined when it did not. */
  interrupted: string | undefined;
}

/** What may be said of an error in a report: never its message, which may quote mail, unless it is ours. */
const describeError = (error: unknown): string => {
  if (error instanceof GmailCallError || error instanceof HttpExchangeError) return error.message;
  return error instanceof Error ? `${error.name} in the check` : 'unknown error';
};

/** Takes away what earlier runs have left, without running a check. */
export const cleanUpOnly = (options: Parameters<typeof openGmail>[0]): Promise<CleanUpReport> =>
  cleanUp(openGmail(options).createClient(), new Set());

/**
 * Runs all checks on messages of its own, and takes them away again, whatever happens. What earlier runs have left is
 * taken away first.
 */
export const runLiveCheck = async (options: LiveCheckOptions): Promise<LiveCheckReport> => {
  const { gmailUrl: baseUrl, accessToken, messages, signal, tell } = options;
  const { createClient, refusals, used } = openGmail(options);
  const gmail = createClient(signal);
  // Not ended by the signal.
  const cleaner = createClient();
  const findings: Finding[] = [...options.findings];
  const behaviours: BehaviourChange[] = [];
  const ownIds = new Set<string>();

  const runChecks = async (): Promise<void> => {
    tell(`Inserting ${messages + OTHER_MESSAGES} messages`);
    const workspace = await fillWorkspace(gmail, {
      messages,
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
  };

  const runCheck = async (check: Check, workspace: Workspace): Promise<void> => {
    // The product's mailbox, as the API opens it but for the cache.
    const mailbox = createGmailMailbox({
      baseUrl,
      accessTokens: { current: async () => accessToken, renew: async () => accessToken },
    });
    try {
      const { findings: found, behaviour } = await check.run({
        gmail,
        mailbox,
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
  };

  const access = await gmail.call(toProfileRequest());
  findings.push(compare('api-enabled', describeResponse(access)));
  let interrupted: string | undefined;
  let cleaned: CleanUpReport | undefined = { messages: 0, drafts: 0, labels: 0, foreignMessages: 0 };
  if (isSuccess(access)) {
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
  }
  findings.push(compare('quota-refusals', [...new Set(refusals)].join(', ') || 'none'));
  return {
    day: new Date().toISOString().slice(0, 10),
    messages,
    units: used.units,
    findings,
    behaviour: Object.assign({}, ...behaviours),
    cleanUp: cleaned,
    interrupted,
  };
};

const toCell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

const toRow = ({ title, expected, observed, verdict }: Finding): string =>
  `| ${[title, expected, observed, verdict].map(toCell).join(' | ')} |`;

export const describeCleanUp = (cleanUp: CleanUpReport | undefined): string => {
  if (cleanUp === undefined) return 'Failed: run `npm run live-check -- --clean`.';
  const { messages, drafts, labels, foreignMessages } = cleanUp;
  const done = `${messages} messages moved to the trash, ${drafts} drafts and ${labels} labels deleted.`;
  return foreignMessages === 0
    ? done
    : `${done} ${foreignMessages} messages of others under the label were left alone.`;
};

/** The report as a Markdown file that can be attached to a bug report. */
export const toMarkdown = (report: LiveCheckReport): string => {
  const { day, messages, units, findings, behaviour, cleanUp, interrupted } = report;
  const counts = Map.groupBy(findings, ({ verdict }) => verdict);
  const summary = (['same', 'different', 'unknown', 'failed'] as const)
    .map((verdict) => `${counts.get(verdict)?.length ?? 0} ${verdict}`)
    .join(', ');
  return `${[
    '# Mailsweep live check',
    '',
    `${day}, ${messages} test messages, about ${units} quota units. ${summary}.`,
    ...(interrupted === undefined ? [] : ['', `**Not complete:** ${interrupted}`]),
    '',
    'The report names no account: no addresses, ids, subjects or tokens.',
    '',
    '| checked | expected | observed | verdict |',
    '|---|---|---|---|',
    ...findings.map(toRow),
    '',
    '## Clean-up',
    '',
    describeCleanUp(cleanUp),
    '',
    '## Sandbox settings that reproduce this',
    '',
    '```sh',
    `SANDBOX_BEHAVIOUR='${JSON.stringify(behaviour)}'`,
    '```',
  ].join('\n')}\n`;
};

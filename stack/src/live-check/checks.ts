import { type GmailSession, toMessageLabelsRequest } from '@mailsweep/gmail';
import type { LabelChangeOutcome, Mailbox, RequestedLabelChange } from '@mailsweep/mailbox-sync';

/** One thing that was looked at, in words without personal data. */
export interface Finding {
  title: string;
  expected: string;
  observed: string;
  /** `failed`: the check itself did not work. */
  verdict: 'same' | 'different' | 'failed';
}

/** What checks work with: the product's own mailbox, without a cache, and plain messages of ours in its inbox. */
export interface CheckContext {
  session: GmailSession;
  mailbox: Mailbox;
  messageIds: readonly string[];
}

export interface Check {
  title: string;
  /** About how many quota units it uses. */
  units(messages: number): number;
  run(context: CheckContext): Promise<Finding[]>;
}

const PAGE = 100;
const READ_UNITS = 20;
const LONGEST_READ_MS = 10_000;

/** A finding that compares what was observed with what was expected, word by word. */
export const compare = (finding: Omit<Finding, 'verdict'>): Finding => ({
  ...finding,
  verdict: finding.expected === finding.observed ? 'same' : 'different',
});

/** A page of messages that were never read before. */
const readCheck: Check = {
  title: 'Reading a page of messages',
  units: (messages) => Math.min(PAGE, messages) * READ_UNITS,
  async run({ mailbox, messageIds }) {
    const ids = messageIds.slice(0, PAGE);
    const startedMs = performance.now();
    const emails = await mailbox.findEmails(ids);
    const tookMs = Math.round(performance.now() - startedMs);
    return [
      compare({
        title: `Reading ${ids.length} messages`,
        expected: `${ids.length} read`,
        observed: `${emails.length} read`,
      }),
      {
        title: 'How long that took',
        expected: `within ${LONGEST_READ_MS} ms`,
        observed: `${tookMs} ms`,
        verdict: tookMs <= LONGEST_READ_MS ? 'same' : 'different',
      },
    ];
  },
};

const isKnown = (outcome: LabelChangeOutcome): boolean => outcome.status === 'ok' && 'change' in outcome;

/** Makes changes as the product does: what the history does not show yet is looked up afterwards. */
const change = async (
  mailbox: Mailbox,
  changes: RequestedLabelChange[],
): Promise<{ outcomes: LabelChangeOutcome[]; knownAtOnce: number }> => {
  const { historyId } = await mailbox.readBaseline(changes.map(({ id }) => id));
  const outcomes = await mailbox.changeLabels(changes, historyId);
  const known = new Set(outcomes.filter(isKnown).map(({ id }) => id));
  const open = changes.filter(({ id }) => !known.has(id)).map((one) => ({ ...one, isDone: true }));
  const later = open.length === 0 ? [] : await mailbox.findChanges(open, historyId);
  const found = new Map(later.map((outcome) => [outcome.id, outcome]));
  return { outcomes: outcomes.map((outcome) => found.get(outcome.id) ?? outcome), knownAtOnce: known.size };
};

/** The largest change that the product makes in one call, and what it finds out of it. */
const archiveCheck: Check = {
  title: 'Archiving all messages at once',
  units: () => 300,
  async run({ mailbox, messageIds }) {
    const startedMs = performance.now();
    const { outcomes, knownAtOnce } = await change(
      mailbox,
      messageIds.map((id) => ({ id, added: [], removed: ['INBOX'] })),
    );
    const tookMs = Math.round(performance.now() - startedMs);
    const exact = outcomes.filter(
      (outcome) =>
        outcome.status === 'ok' &&
        outcome.change?.removed.join() === 'INBOX' &&
        outcome.change.added.length === 0,
    );
    const all = `${messageIds.length} of ${messageIds.length}`;
    return [
      compare({
        title: `Archiving ${messageIds.length} messages: changes known exactly`,
        expected: all,
        observed: `${exact.length} of ${messageIds.length}`,
      }),
      {
        title: 'Changes that the history showed at once',
        expected: `${all}, within 60000 ms`,
        observed: `${knownAtOnce} of ${messageIds.length}, after ${tookMs} ms`,
        verdict: knownAtOnce === messageIds.length && tookMs <= 60_000 ? 'same' : 'different',
      },
    ];
  },
};

/** Whether the product knows what deleting changed, and takes exactly that back. */
const undoCheck: Check = {
  title: 'Deleting a message, and undoing that',
  units: () => 200,
  async run({ session, mailbox, messageIds }) {
    const [id = ''] = messageIds;
    const readLabels = async (): Promise<string> => {
      const { labelIds } = await session.send(toMessageLabelsRequest(id));
      // Gmail itself may turn IMPORTANT.
      return (labelIds ?? [])
        .filter((label) => label !== 'IMPORTANT')
        .toSorted()
        .join();
    };
    const before = await readLabels();
    const [deleted] = (await change(mailbox, [{ id, added: ['TRASH'], removed: ['INBOX'] }])).outcomes;
    const applied = deleted?.status === 'ok' ? deleted.change : undefined;
    if (applied !== undefined) {
      await change(mailbox, [{ id, added: applied.removed, removed: applied.added }]);
    }
    return [
      compare({
        title: 'Deleting an archived message: the change that is noted for undo',
        expected: 'added TRASH, removed nothing',
        observed:
          applied === undefined
            ? 'unknown'
            : `added ${applied.added.join() || 'nothing'}, removed ${applied.removed.join() || 'nothing'}`,
      }),
      compare({
        title: 'Undoing that: the labels are as before',
        expected: 'yes',
        observed: (await readLabels()) === before ? 'yes' : 'no',
      }),
    ];
  },
};

/** In their order: the page is read before anything else has read the messages. */
export const CHECKS: readonly Check[] = [readCheck, archiveCheck, undoCheck];

import type { LabelChange } from '@mailsweep/contracts';
import {
  type ChangeStatus,
  isEmptyChange,
  isInEffect,
  type LabelChangeOutcome,
  type Mailbox,
  MailboxError,
  NO_CHANGE,
  toAppliedChange,
  type WantedLabelChange,
} from '@mailsweep/mailbox-sync';

/** What becomes of a change: done as asked, done without a word of what it took, refused, or done although the answer is a fault. */
export type Fate = 'done' | 'done_untold' | MailboxError | { doneBut: MailboxError };

const toFailure = (id: string, error: MailboxError) => ({
  id,
  status: 'error' as const,
  error,
  isUnsure: error.code === 'mailbox_unavailable',
});

/** A mailbox in memory that does exactly what a test says. */
export const createFakeMailbox = (messages: Record<string, string[]>) => {
  const labels = new Map(Object.entries(messages).map(([id, names]) => [id, new Set(names)]));
  const changes: WantedLabelChange[] = [];
  let readFault: Error | undefined;
  let decide: (change: WantedLabelChange) => Fate | Promise<Fate> = () => 'done';

  const change = async (wanted: WantedLabelChange): Promise<LabelChangeOutcome> => {
    changes.push(wanted);
    const fate = await decide(wanted);
    if (fate instanceof MailboxError) return toFailure(wanted.id, fate);
    const present = labels.get(wanted.id);
    const change = toAppliedChange([...(present ?? [])], wanted);
    for (const label of wanted.added) present?.add(label);
    for (const label of wanted.removed) present?.delete(label);
    if (fate === 'done_untold') return { id: wanted.id, status: 'ok' };
    return fate === 'done' ? { id: wanted.id, status: 'ok', change } : toFailure(wanted.id, fate.doneBut);
  };

  const assertReadable = (): void => {
    if (readFault !== undefined) throw readFault;
  };

  /** A history that is always gone: the present labels tell what became of a change. */
  const find = (wanted: WantedLabelChange): LabelChangeOutcome => {
    const { id } = wanted;
    const present = labels.get(id);
    if (isEmptyChange(wanted)) return { id, status: 'ok', change: NO_CHANGE };
    if (readFault instanceof MailboxError) return { ...toFailure(id, readFault), isUnsure: true };
    assertReadable();
    const isMade = wanted.isDone || (present !== undefined && isInEffect([...present], wanted));
    if (isMade) return { id, status: 'ok', change: { added: wanted.added, removed: wanted.removed } };
    return { ...toFailure(id, new MailboxError('failed', 'not made')), isUnsure: false };
  };

  const toStatus = (made: LabelChange & { id: string }): ChangeStatus => {
    const present = labels.get(made.id);
    return present === undefined
      ? { id: made.id, error: new MailboxError('not_found', 'there is no such message') }
      : { id: made.id, isInEffect: isInEffect([...present], made), labels: [...present] };
  };

  const mailbox: Mailbox = {
    listEmails: async () => ({ emails: [], nextPageToken: null, total: 0, totalIsExact: true }),
    countInbox: async () => ({ total: 0, unread: 0 }),
    countEmails: async () => 0,
    findEmails: async () => [],
    readConversation: async (threadId) => ({ threadId, emails: [], otherMessages: 0 }),
    readBaseline: async (ids) => {
      assertReadable();
      const known = ids.filter((id) => labels.has(id));
      const present = new Map(known.map((id) => [id, [...(labels.get(id) ?? [])]]));
      const noMail = new Set(
        known.filter((id) => ['DRAFT', 'CHAT'].some((label) => labels.get(id)?.has(label))),
      );
      return { historyId: '1', labels: present, ahead: new Set(), noMail };
    },
    changeLabels: (wanted) => Promise.all(wanted.map(change)),
    findChanges: async (wanted) => wanted.map(find),
    checkChanges: async (made) => {
      assertReadable();
      return { historyId: '1', statuses: made.map(toStatus) };
    },
    findOrCreateLabels: async (names) => new Map(names.map((name) => [name, { id: `Label_${name}` }])),
  };

  return {
    mailbox,
    /** All changes asked for so far. */
    changes,
    labelsOf: (id: string): string[] => [...(labels.get(id) ?? [])].toSorted(),
    /** Decides what becomes of each change from now on; what it throws, the mailbox throws. */
    decideWith(next: typeof decide) {
      decide = next;
    },
    /** Makes reading fail, or work again. */
    failReading(fault: Error | undefined) {
      readFault = fault;
    },
  };
};

export type FakeMailbox = ReturnType<typeof createFakeMailbox>;

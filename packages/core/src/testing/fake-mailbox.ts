import { GMAIL_CAPABILITIES } from '@mailsweep/mail/gmail';
import {
  type AppliedLabelChange,
  type ChangeStatus,
  isEmptyChange,
  isInEffect,
  isReversible,
  type LabelChangeOutcome,
  type Mailbox,
  MailboxError,
  NO_CHANGE,
  type RequestedLabelChange,
  toAppliedChange,
} from '@mailsweep/mail/mailbox';

/** What becomes of a change: applied as requested, applied with unknown labels, refused, or applied although the response is an error. */
export type ChangeResult = 'done' | 'done_untold' | MailboxError | { doneBut: MailboxError };

const toFailure = (id: string, error: MailboxError) => ({
  id,
  status: 'error' as const,
  error,
  isUnsure: error.code === 'mailbox_unavailable',
});

/** A mailbox in memory that does exactly what a test says. */
export const createFakeMailbox = (messages: Record<string, string[]>) => {
  const labels = new Map(Object.entries(messages).map(([id, names]) => [id, new Set(names)]));
  const changes: RequestedLabelChange[] = [];
  let readFault: Error | undefined;
  let decide: (change: RequestedLabelChange) => ChangeResult | Promise<ChangeResult> = () => 'done';

  const change = async (requested: RequestedLabelChange): Promise<LabelChangeOutcome> => {
    changes.push(requested);
    const fate = await decide(requested);
    if (fate instanceof MailboxError) return toFailure(requested.id, fate);
    const present = labels.get(requested.id);
    const change = toAppliedChange([...(present ?? [])], requested);
    for (const label of requested.added) present?.add(label);
    for (const label of requested.removed) present?.delete(label);
    if (fate === 'done_untold') return { id: requested.id, status: 'ok' };
    return fate === 'done'
      ? { id: requested.id, status: 'ok', change }
      : toFailure(requested.id, fate.doneBut);
  };

  const assertReadable = (): void => {
    if (readFault !== undefined) throw readFault;
  };

  /** A history that is always expired: the current labels show what became of a change. */
  const find = (requested: RequestedLabelChange): LabelChangeOutcome => {
    const { id } = requested;
    const present = labels.get(id);
    if (isEmptyChange(requested)) return { id, status: 'ok', change: NO_CHANGE };
    if (readFault instanceof MailboxError) return { ...toFailure(id, readFault), isUnsure: true };
    assertReadable();
    const isApplied = requested.isDone || (present !== undefined && isInEffect([...present], requested));
    if (isApplied)
      return { id, status: 'ok', change: { added: requested.added, removed: requested.removed } };
    return { ...toFailure(id, new MailboxError('failed', 'not made')), isUnsure: false };
  };

  const toStatus = (applied: AppliedLabelChange & { id: string }): ChangeStatus => {
    const present = labels.get(applied.id);
    return present === undefined
      ? { id: applied.id, error: new MailboxError('not_found', 'there is no such message') }
      : { id: applied.id, isReversible: isReversible([...present], applied.change), labels: [...present] };
  };

  const mailbox: Mailbox = {
    readCapabilities: async () => GMAIL_CAPABILITIES,
    listEmails: async () => ({ emails: [], nextPageToken: null, total: 0, totalIsExact: true }),
    countInbox: async () => ({ total: 0, unread: 0 }),
    countMailbox: async () => ({ inbox: { total: 0, unread: 0 }, categories: [] }),
    countEmails: async () => 0,
    findEmails: async () => [],
    listEmailIds: async () => ({ emails: [], isComplete: true }),
    readHistoryId: async () => '1',
    readChangesSince: async () => undefined,
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
    changeLabels: (requested) => Promise.all(requested.map(change)),
    findChanges: async (requested) => requested.map(find),
    checkChanges: async (applied) => {
      assertReadable();
      return { historyId: '1', statuses: applied.map(toStatus) };
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

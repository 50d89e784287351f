import {
  isEmptyChange,
  isInEffect,
  type LabelChangeOutcome,
  type Mailbox,
  MailboxError,
  NO_CHANGE,
  toRealChange,
  type WantedLabelChange,
} from '@mailsweep/mailbox';

/** What becomes of a change: done as asked, refused, or done although the answer is a fault. */
export type Fate = 'done' | MailboxError | { doneBut: MailboxError };

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
  let readFault: MailboxError | undefined;
  let decide: (change: WantedLabelChange) => Fate | Promise<Fate> = () => 'done';

  const change = async (wanted: WantedLabelChange): Promise<LabelChangeOutcome> => {
    changes.push(wanted);
    const fate = await decide(wanted);
    if (fate instanceof MailboxError) return toFailure(wanted.id, fate);
    const present = labels.get(wanted.id);
    const change = toRealChange([...(present ?? [])], wanted);
    for (const label of wanted.added) present?.add(label);
    for (const label of wanted.removed) present?.delete(label);
    return fate === 'done' ? { id: wanted.id, status: 'ok', change } : toFailure(wanted.id, fate.doneBut);
  };

  /** A history that is always gone: the present labels tell what became of a change. */
  const find = (wanted: WantedLabelChange): LabelChangeOutcome => {
    const { id } = wanted;
    const present = labels.get(id);
    if (isEmptyChange(wanted)) return { id, status: 'ok', change: NO_CHANGE };
    if (readFault !== undefined) return { ...toFailure(id, readFault), isUnsure: true };
    const isMade = present !== undefined && isInEffect([...present], wanted);
    if (isMade) return { id, status: 'ok', change: { added: wanted.added, removed: wanted.removed } };
    return { ...toFailure(id, new MailboxError('failed', 'not made')), isUnsure: false };
  };

  const mailbox: Mailbox = {
    listEmails: async () => ({ emails: [], nextPageToken: null, total: 0 }),
    findEmails: async () => [],
    readBaseline: async (ids) => ({
      historyId: '1',
      labels: new Map(
        ids.flatMap((id) => (labels.has(id) ? [[id, [...(labels.get(id) ?? [])]] as const] : [])),
      ),
    }),
    changeLabels: (wanted) => Promise.all(wanted.map(change)),
    findChanges: async (wanted) => wanted.map(find),
    checkChanges: async (made) => ({
      historyId: '1',
      standings: made.map((one) => {
        const present = labels.get(one.id);
        return present === undefined
          ? { id: one.id, error: new MailboxError('not_found', 'there is no such message') }
          : { id: one.id, isInEffect: isInEffect([...present], one), labels: [...present] };
      }),
    }),
    findOrCreateLabel: async (name) => `Label_${name}`,
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
    failReading(fault: MailboxError | undefined) {
      readFault = fault;
    },
  };
};

export type FakeMailbox = ReturnType<typeof createFakeMailbox>;

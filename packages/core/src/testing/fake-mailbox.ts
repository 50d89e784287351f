import {
  type LabelChangeOutcome,
  type Mailbox,
  MailboxError,
  type PlannedLabelChange,
} from '@mailsweep/mailbox';

/** What becomes of a change: done as asked, refused, or done although the answer is a fault. */
export type Fate = 'done' | MailboxError | { doneBut: MailboxError };

/** A mailbox in memory that does exactly what a test says. */
export const createFakeMailbox = (messages: Record<string, string[]>) => {
  const labels = new Map(Object.entries(messages).map(([id, names]) => [id, new Set(names)]));
  const changes: PlannedLabelChange[] = [];
  let readFault: MailboxError | undefined;
  let decide: (change: PlannedLabelChange) => Fate | Promise<Fate> = () => 'done';

  const change = async (wanted: PlannedLabelChange): Promise<LabelChangeOutcome> => {
    changes.push(wanted);
    const fate = await decide(wanted);
    if (fate instanceof MailboxError) return { id: wanted.id, status: 'error', error: fate };
    const present = labels.get(wanted.id);
    for (const label of wanted.added) present?.add(label);
    for (const label of wanted.removed) present?.delete(label);
    return fate === 'done'
      ? { id: wanted.id, status: 'ok' }
      : { id: wanted.id, status: 'error', error: fate.doneBut };
  };

  const mailbox: Mailbox = {
    listEmails: async () => ({ emails: [], nextPageToken: null, total: 0 }),
    findEmails: async () => [],
    readLabels: async (ids) =>
      ids.map((id) => {
        const present = labels.get(id);
        if (readFault !== undefined) return { id, error: readFault };
        return present === undefined
          ? { id, error: new MailboxError('not_found', 'there is no such message') }
          : { id, labels: [...present] };
      }),
    changeLabels: (wanted) => Promise.all(wanted.map(change)),
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

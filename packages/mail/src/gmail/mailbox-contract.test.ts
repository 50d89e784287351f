import { type ContractServer, describeMailboxContract } from '@mailsweep/mail/mailbox/testing';
import { setUpMailbox } from './testing/test-mailbox.ts';

const openServer = async (): Promise<ContractServer> => {
  // Where a change leaves two records, a part of another client's change can look like ours.
  const { mailbox, gmail } = await setUpMailbox({ behaviour: { historyRecords: 'joined' } });
  const find = (id: string) => gmail.messages.find((message) => message.id === id);
  const threadOf = (id: string | undefined) => {
    const threadId = gmail.messages.find((message) => message.id === id)?.threadId;
    return threadId === undefined ? {} : { threadId };
  };
  return {
    mailbox,
    deliver: ({ labels, receivedAt, subject, from, replyTo }) =>
      gmail.deliver({
        labels,
        receivedAtMs: receivedAt.getTime(),
        subject,
        from,
        ...threadOf(replyTo),
      }),
    change: gmail.change,
    async destroy(id) {
      await gmail.remove(id);
    },
    readLabels: async (id) => find(id)?.labels ?? [],
    createLabel: gmail.createLabel,
  };
};

describeMailboxContract('Gmail', openServer);

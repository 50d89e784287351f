import type { FakeMessage } from '@mailsweep/gmail/testing';
import { type ContractServer, describeMailboxContract } from '@mailsweep/mailbox/testing';
import { setUpMailbox } from './testing/test-mailbox.ts';

const openServer = async (): Promise<ContractServer> => {
  const { mailbox, gmail } = await setUpMailbox();
  const find = (id: string) => gmail.messages.find((message) => message.id === id) as FakeMessage;
  let delivered = 0;
  return {
    mailbox,
    async deliver({ labels, receivedAt, subject, from, replyTo }) {
      delivered += 1;
      const id = `m${delivered}`;
      gmail.deliver({
        id,
        threadId: replyTo === undefined ? `t${delivered}` : String(find(replyTo).threadId),
        labelIds: labels,
        internalDate: String(receivedAt.getTime()),
        payload: {
          headers: [
            { name: 'From', value: from },
            { name: 'Subject', value: subject },
          ],
        },
      });
      return id;
    },
    async change(id, change) {
      gmail.change(id, change);
    },
    async destroy(id) {
      gmail.remove(id);
    },
    async readLabels(id) {
      return find(id).labelIds;
    },
    async createLabel(name) {
      const id = `Label_own_${gmail.labels.length}`;
      gmail.labels.push({ id, name, type: 'user' });
      return id;
    },
  };
};

describeMailboxContract('the fake Gmail', openServer);

import { type CyrusServer, findMissingCyrus, startCyrus } from '@mailsweep/mail/jmap/testing';
import { afterAll, beforeAll, describe } from 'vitest';
import { type LocalStack, startLocalStack } from '../src/local-stack.ts';
import { describeAccount } from './account.ts';
import { describeCleaning } from './cleaning.ts';
import { openUser, PROVIDER } from './jmap-users.ts';
import { describeLabels } from './labels.ts';
import { describeReading } from './reading.ts';
import { AUTHSERV_ID, describeUnsubscribing, type ListServer, startListServer } from './unsubscribing.ts';
import { describeWatching } from './watching.ts';

const missing = findMissingCyrus();

/** One stack for all suites, each with a mailbox of its own. */
describe.skipIf(missing !== undefined)(`a mailbox at Cyrus${missing ? ` (skipped: ${missing})` : ''}`, () => {
  const open = () => openUser({ cyrus, stack });
  describeCleaning(open);
  describeReading(open);
  describeLabels(open);
  describeWatching(open);
  describeUnsubscribing(open, () => listServer);
  describeAccount(open, () => ({ cyrus, stack }));

  let cyrus: CyrusServer;
  let listServer: ListServer;
  let stack: LocalStack;
  beforeAll(async () => {
    cyrus = await startCyrus();
    listServer = await startListServer();
    const { sessionUrl } = cyrus;
    const own = { key: PROVIDER, name: 'Our server', sessionUrl, token: true, authservId: AUTHSERV_ID };
    stack = await startLocalStack({
      JMAP_PROVIDERS: JSON.stringify([own]),
      ALLOW_PRIVATE_ADDRESSES: 'webhook,unsubscribe',
      NODE_EXTRA_CA_CERTS: listServer.certPath,
    });
  });
  afterAll(async () => {
    await stack?.stop();
    await listServer?.close();
    await cyrus?.stop();
  });
});

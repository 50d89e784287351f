import { describeMailboxContract } from '@mailsweep/mailbox/testing';
import { afterAll, beforeAll, describe } from 'vitest';
import { type CyrusServer, findMissingCyrus, startCyrus } from './testing/cyrus.ts';
import { openCyrusAccount, openFakeServer } from './testing/test-mailbox.ts';

describeMailboxContract('a fake JMAP server', openFakeServer);
describeMailboxContract('a fake JMAP server with small limits', () =>
  openFakeServer({
    limits: { maxSizeRequest: 4_000, maxObjectsInGet: 4, maxObjectsInSet: 3, maxCallsInRequest: 3 },
  }),
);

const missing = findMissingCyrus();

describe.skipIf(missing !== undefined)(`a real Cyrus${missing ? ` (skipped: ${missing})` : ''}`, () => {
  let cyrus: CyrusServer;
  beforeAll(async () => {
    cyrus = await startCyrus();
  });
  afterAll(() => cyrus?.stop());

  describeMailboxContract('Cyrus', () => openCyrusAccount(cyrus));
});

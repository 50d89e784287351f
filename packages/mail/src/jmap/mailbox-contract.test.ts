import { describeMailboxContract } from '@mailsweep/mail/mailbox/testing';
import { afterAll, beforeAll, describe } from 'vitest';
import { type CyrusServer, findMissingCyrus, startCyrus } from './testing/cyrus.ts';
import { PROFILES, SERVERS } from './testing/fake-jmap/profiles.ts';
import { openCyrusAccount, openFakeServer } from './testing/test-mailbox.ts';

for (const name of SERVERS) {
  describeMailboxContract(`a fake JMAP server as ${name}`, () => openFakeServer(PROFILES[name]), true);
}
describeMailboxContract(
  'a fake JMAP server with small limits',
  () =>
    openFakeServer({
      limits: { maxSizeRequest: 4_000, maxObjectsInGet: 4, maxObjectsInSet: 3, maxCallsInRequest: 3 },
    }),
  true,
);
describeMailboxContract(
  'a fake JMAP server that counts nothing and takes less than it says',
  () => openFakeServer({ hasTotals: false, mostListed: 3, mostRead: 2, mostChanged: 2 }),
  true,
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

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createJmapClient } from './protocol/jmap-client.ts';
import { createJmapConnections } from './protocol/jmap-connections.ts';
import { getEmails, getMailboxes, queryEmails, resultOf, setEmails } from './protocol/jmap-methods.ts';
import { EmailStateSchema } from './protocol/jmap-schemas.ts';
import { type CyrusServer, findMissingCyrus, startCyrus } from './testing/cyrus.ts';

const missing = findMissingCyrus();

describe.skipIf(missing !== undefined)(`a real Cyrus${missing ? ` (skipped: ${missing})` : ''}`, () => {
  let cyrus: CyrusServer;
  beforeAll(async () => {
    cyrus = await startCyrus();
  });
  afterAll(() => cyrus?.stop());

  const openClient = (user: string, token = cyrus.tokenOf(user)) =>
    createJmapClient({
      server: { sessionUrl: cyrus.sessionUrl },
      accessTokens: { current: async () => token, renew: async () => token },
      connection: createJmapConnections().of(user),
      callTimeoutMs: 10_000,
      setTimeoutMs: 10_000,
      retryBudgetMs: 10_000,
      maxResponseBytes: 1_000_000,
      clock: { nowMs: Date.now, sleep: async () => undefined },
      random: () => 0,
    });

  it('is read and changed by a client that was told its session resource alone', async () => {
    await cyrus.deliver('ada', 'From: Bob <bob@news.example>\r\nSubject: One\r\n\r\nhello\r\n');
    await openClient('ada').withSession(async ({ send, change, limits }) => {
      expect(limits.maxObjectsInGet).toBeGreaterThan(500);
      const read = () =>
        send([
          queryEmails({ limit: 10 }),
          getEmails(EmailStateSchema, { '#ids': resultOf(0, 'Email/query', '/ids') }),
          getMailboxes({ ids: null }),
        ]);
      const [, before, mailboxes] = await read();
      const idOf = (role: string) => mailboxes.list.find((mailbox) => mailbox.role === role)?.id ?? '';
      const [email] = before.list;
      expect(email?.mailboxIds).toEqual({ [idOf('inbox')]: true });

      const patch = { [`mailboxIds/${idOf('inbox')}`]: null, [`mailboxIds/${idOf('archive')}`]: true };
      const update = { [email?.id ?? '']: { ...patch, 'keywords/$seen': true } };
      const results = await change([
        setEmails({ ifInState: before.state, update }),
        setEmails({ ifInState: before.state, update }),
      ]);
      expect(results).toMatchObject([{ updated: { [email?.id ?? '']: null } }, { type: 'stateMismatch' }]);
      const [, after] = await read();
      expect(after.list).toMatchObject([
        { mailboxIds: { [idOf('archive')]: true }, keywords: { $seen: true } },
      ]);
    });
  });

  it('refuses a token that is not its own', async () => {
    const work = openClient('ada', 'x').withSession(({ send }) => send([getMailboxes({ ids: null })]));
    await expect(work).rejects.toMatchObject({ code: 'reauth_required' });
  });
});

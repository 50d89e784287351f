import { randomUUID } from 'node:crypto';
import { createTestDatabase } from '@mailsweep/database/testing';
import { startFakeJmap } from '@mailsweep/mail/jmap/testing';
import { parseConfig } from '@mailsweep/service-kit';
import { createRecordingLogger } from '@mailsweep/service-kit/testing';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { createMailboxAccess } from './open-mailbox.ts';
import { saveProviderTokens } from './provider-connection.repository.ts';
import { mailboxAccessVariables } from './variables.ts';

const CALLS = 12;

it('keeps the requests of three processes within what a JMAP server takes for one user', async () => {
  const db = await createTestDatabase();
  onTestFinished(() => db.drop());
  const server = await startFakeJmap({ limits: { maxConcurrentRequests: 2 } });
  onTestFinished(server.close);
  const two = Promise.withResolvers<undefined>();
  server.intercept(({ methodCalls }) => {
    if (server.methodsCalled().length === 2) two.resolve(undefined);
    return methodCalls && two.promise;
  });
  const config = parseConfig(z.object(mailboxAccessVariables), {
    TOKEN_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
    JMAP_PROVIDERS: JSON.stringify([{ key: 'own', name: 'Own', sessionUrl: server.sessionUrl, token: true }]),
  });
  const { logger } = createRecordingLogger();
  const openProcess = () =>
    createMailboxAccess({
      config,
      database: db.database,
      redis: undefined,
      logger,
      observeQuota: () => undefined,
    });
  const userId = randomUUID();
  await db.database.user.create({ data: { id: userId, providerSubject: userId, email: '' } });
  const tokens = { accessToken: 'token', refreshToken: undefined, scope: 'mail' };
  const accessTokenExpiresAt = new Date(Date.now() + 3_600_000);
  const account = { provider: 'own', accountId: 'account' };
  await saveProviderTokens(
    db.database,
    openProcess().tokenCipher,
    userId,
    { ...tokens, accessTokenExpiresAt },
    account,
  );

  const mailboxes = [openProcess(), openProcess(), openProcess()].map(({ openMailbox }) =>
    openMailbox(userId),
  );
  await Promise.all(Array.from({ length: CALLS }, (_, index) => mailboxes[index % 3]?.readHistoryId()));
  expect(server.mostInFlight()).toBe(2);
  expect(server.methodsCalled()).toHaveLength(CALLS);
});

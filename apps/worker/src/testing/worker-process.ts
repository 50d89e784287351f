import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { TestDatabase } from '@mailsweep/database/testing';
import type { TestGmail } from '@mailsweep/google-sandbox/testing/gmail';
import { createTokenCipher } from '@mailsweep/mail/provider-connection';
import { type Behaviour, startClassificationStandIn } from '@mailsweep/ml-client/testing';
import { findFreePort, readInherited } from '@mailsweep/service-kit/testing';
import { onTestFinished } from 'vitest';

const KEY = Buffer.alloc(32, 1);
const MAIN_PATH = fileURLToPath(new URL('../main.ts', import.meta.url));

/** Starts a worker as a process of its own, which a test may kill. */
export const startWorkerProcess = async (
  db: TestDatabase,
  gmailUrl: string,
  env: Record<string, string> = {},
) => {
  const child = spawn(process.execPath, [MAIN_PATH], {
    env: {
      ...readInherited(),
      DATABASE_URL: db.url,
      TOKEN_ENCRYPTION_KEY: KEY.toString('base64'),
      OAUTH_ISSUER: 'http://127.0.0.1:1',
      OAUTH_CLIENT_ID: 'client',
      OAUTH_CLIENT_SECRET: 'client-secret',
      GMAIL_BASE_URL: gmailUrl,
      GMAIL_QUOTA_UNITS_PER_MINUTE: '1000000',
      ML_BASE_URL: 'http://127.0.0.1:1',
      WORKER_PORT: String(await findFreePort()),
      ...env,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
};

/** Inserts a user whose mailbox such a worker can open. */
export const insertConnectedUser = async (db: TestDatabase, userId: string): Promise<void> => {
  await db.database.user.create({ data: { id: userId, providerSubject: userId, email: 'ada@example.com' } });
  await db.database.providerConnection.create({
    data: {
      userId,
      encryptedAccessToken: createTokenCipher({ current: KEY }).encrypt('token', userId),
      accessTokenExpiresAt: new Date(Date.now() + 3_600_000),
      scope: '',
    },
  });
};

/** A classification service for such workers, gone when the test is over. */
export const startClassification = async (behaviour: Behaviour) => {
  const classification = await startClassificationStandIn(behaviour);
  onTestFinished(() => classification.close());
  return classification;
};

/**
 * Has the watch of a connected user be due, with new email in the inbox.
 *
 * @param preferences - what the user chose besides
 * @param newEmails - how many
 * @returns up to where the history was read, and the ids of the new email, sorted
 */
export const insertWatchedMailbox = async (
  { database }: TestDatabase,
  gmail: TestGmail,
  { userId, newEmails, preferences }: { userId: string; newEmails: number; preferences?: object },
): Promise<{ historyId: string; newEmails: string[] }> => {
  const profile = await fetch(`${gmail.url}/gmail/v1/users/me/profile`, {
    headers: { authorization: 'Bearer token' },
  });
  const { historyId } = (await profile.json()) as { historyId: string };
  const ids: string[] = [];
  for (let count = 0; count < newEmails; count += 1) {
    ids.push(await gmail.deliver({ labels: ['INBOX', 'UNREAD'] }));
  }
  await database.userPreferences.create({ data: { userId, watchEnabled: true, ...preferences } });
  await database.mailboxWatch.create({
    data: { userId, historyId, overlapHistoryId: historyId, readAt: new Date() },
  });
  return { historyId, newEmails: ids.toSorted() };
};

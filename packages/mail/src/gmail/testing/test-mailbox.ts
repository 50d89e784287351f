import {
  startTestGmail,
  type TestGmail,
  type TestGmailContent,
  type TestMessage,
} from '@mailsweep/google-sandbox/testing/gmail';
import type { Mailbox } from '@mailsweep/mail/mailbox';
import { createFakeAccessTokens, type FakeAccessTokens } from '@mailsweep/mail/mailbox/testing';
import { createMemoryQuotaStore, createQuotaGovernor, DEFAULT_QUOTA_LIMITS } from '@mailsweep/mail/quota';
import { createManualClock, type ManualClock } from '@mailsweep/mail/quota/testing';
import { onTestFinished } from 'vitest';
import { createGmailMailbox, type GmailMailboxOptions } from '../gmail-mailbox.ts';

export interface TestMailbox {
  mailbox: Mailbox;
  gmail: TestGmail;
  tokens: FakeAccessTokens;
  clock: ManualClock;
}

/** A mailbox at a Google sandbox of its own, on a clock by hand and without chance; gone when the test is over. */
export const setUpMailbox = async (
  content: TestGmailContent = {},
  { concurrentCalls, ...options }: Partial<GmailMailboxOptions> & { concurrentCalls?: number } = {},
): Promise<TestMailbox> => {
  const clock = createManualClock();
  const gmail = await startTestGmail({ nowMs: clock.nowMs, ...content });
  onTestFinished(gmail.close);
  const tokens = createFakeAccessTokens();
  const mailbox = createGmailMailbox({
    baseUrl: gmail.url,
    accessTokens: tokens,
    clock,
    random: () => 0,
    batchReads: false,
    governor: createQuotaGovernor({
      store: createMemoryQuotaStore({ ...DEFAULT_QUOTA_LIMITS, nowMs: clock.nowMs }),
      clock,
      concurrentCalls,
    }),
    ...options,
  });
  return { mailbox, gmail, tokens, clock };
};

/** Messages `m0`, `m1`, … of the inbox, newest first, an hour apart. */
export const inboxMessages = (count: number, fields: Partial<TestMessage> = {}): TestMessage[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `m${index}`,
    labels: ['INBOX'],
    receivedAtMs: Date.UTC(2026, 0, 1) - index * 3_600_000,
    ...fields,
  }));

/** Asks a mailbox for each of these messages by itself; faults stand in the outcome of their message. */
export const readEach = (mailbox: Mailbox, ids: readonly string[]) =>
  mailbox.findChanges(
    ids.map((id) => ({ id, added: ['INBOX'], removed: [] })),
    undefined,
  );

import { setTimeout as delay } from 'node:timers/promises';
import { createGmailMailbox } from '@mailsweep/mail/gmail';
import type { Mailbox } from '@mailsweep/mail/mailbox';
import { inject, it, type TestContext } from 'vitest';
import { type GmailAccess, type GmailClient, openGmail } from './gmail-client.ts';
import type { HistoryReader } from './history.ts';
import type { Answers } from './questions.ts';
import type { SignInFacts } from './sign-in.ts';
import type { Workspace } from './workspace.ts';

/** A mailbox that is ready for the tests: the user's at Google, or one of the sandbox. */
export interface LiveAccount extends GmailAccess {
  signIn: SignInFacts;
  answers: Answers;
  workspace: Workspace;
  /** Refusals for quota so far. */
  refusals: readonly string[];
  historyReadsMs: readonly number[];
}

declare module 'vitest' {
  interface ProvidedContext {
    gmailAccount?: LiveAccount;
  }
}

interface LiveContext {
  gmail: GmailClient;
  /** The product's own mailbox, as the API opens it but for the cache. */
  mailbox: Mailbox;
  history: HistoryReader;
  annotate: TestContext['annotate'];
  skip: TestContext['skip'];
}

/** Opens the mailbox of the run for a file. */
export const openLiveAccount = () => {
  const account = inject('gmailAccount');
  if (account === undefined) throw new Error('no mailbox was provided for these tests');
  const { createClient, refusals } = openGmail(account);
  const accessToken = async () => account.accessToken;
  const mailbox = createGmailMailbox({
    baseUrl: account.gmailUrl,
    accessTokens: { current: accessToken, renew: accessToken },
  });
  return {
    ...account,
    /** All refusals for quota of the run. */
    listRefusals: () => [...new Set([...account.refusals, ...refusals])],
    /** A test whose waiting ends when the run is cancelled. */
    liveTest: (title: string, run: (context: LiveContext) => Promise<void>): void =>
      it(title, ({ signal, annotate, skip, onTestFinished }) => {
        const gmail = createClient(signal);
        const pause = (ms: number) => delay(ms, undefined, { signal });
        const running = run({
          gmail,
          mailbox,
          history: { gmail, readsMs: account.historyReadsMs, pause },
          annotate,
          skip,
        });
        // Vitest leaves a cancelled test at once. A call in flight might change the mailbox after it was cleaned up.
        onTestFinished(async () => void (await Promise.allSettled([running])));
        return running;
      }),
  };
};

import type { GmailMailboxOptions } from '@mailsweep/mail/gmail';
import type { ServerFacts } from '@mailsweep/mail/jmap';
import { type Mailbox, MailboxError } from '@mailsweep/mail/mailbox';
import type { AccountTokens } from './access-tokens.ts';
import type { Providers } from './providers/providers.ts';

/** What differs from one process to another. */
export type OpenMailboxOptions = Pick<
  GmailMailboxOptions,
  'governor' | 'inboxCounts' | 'priority' | 'signal' | 'onRebuild'
>;

/** Where the mailbox of a user is at a JMAP server. */
export interface JmapAccount {
  server: { sessionUrl: string; accountId: string };
  authservId: string | undefined;
  facts: ServerFacts;
}

/** Opens the mailbox of an account at a JMAP server; it opens nothing that needs closing. */
export type OpenJmapMailbox = (
  account: JmapAccount & { userId: string; accessTokens: AccountTokens },
  options: OpenMailboxOptions,
) => Mailbox;

type Call = (...parameters: unknown[]) => Promise<unknown>;

/**
 * A user's mailbox at whichever provider has it. That is in the database, so the first call finds it out, with the read
 * that its access token needs anyway.
 *
 * @param gmail - the mailbox, were it at Gmail
 * @param openJmap - opens the mailbox at a JMAP server
 */
export const createRoutedMailbox = (options: {
  gmail: Mailbox;
  openJmap: (account: JmapAccount) => Mailbox;
  accessTokens: AccountTokens;
  providers: Providers;
}): Mailbox => {
  const { gmail, openJmap, accessTokens, providers } = options;
  let jmap: Mailbox | undefined;

  const find = async (): Promise<Mailbox> => {
    const { provider: key, accountId } = await accessTokens.findAccount().catch((cause: unknown) => {
      if (cause instanceof MailboxError) throw cause;
      throw new MailboxError('mailbox_unavailable', 'where the mailbox is could not be read', { cause });
    });
    const provider = providers.get(key);
    if (provider?.kind !== 'jmap') return gmail;
    if (accountId === null) throw new MailboxError('reauth_required', 'the account is not known');
    const { sessionUrl, authservId, name, trashDays, emailUrl } = provider;
    jmap ??= openJmap({
      server: { sessionUrl, accountId },
      authservId,
      facts: { name, trashDays, emailUrl },
    });
    return jmap;
  };

  const calls = (Object.keys(gmail) as (keyof Mailbox)[]).map((name) => {
    const call: Call = async (...parameters) => ((await find())[name] as Call)(...parameters);
    return [name, call];
  });
  return Object.fromEntries(calls) as Mailbox;
};

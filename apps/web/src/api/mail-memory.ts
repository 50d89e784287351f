import type { ApiClient } from './api-client.ts';

/** Who wrote a mail and what about. */
export interface KnownMail {
  from: string;
  subject: string;
}

/**
 * What this tab has seen of the mails, so that the history, which has only their ids, can name them. Never written
 * anywhere, and emptied at sign-out.
 */
export interface MailMemory {
  find: (emailId: string) => KnownMail | undefined;
  clear: () => void;
}

/** Lets a client remember the mails that pass through it. */
export const withMailMemory = (client: ApiClient): { client: ApiClient; memory: MailMemory } => {
  const mails = new Map<string, KnownMail>();
  const remember = (emails: readonly ({ id: string } & KnownMail)[]) => {
    for (const { id, from, subject } of emails) mails.set(id, { from, subject });
  };
  return {
    client: {
      ...client,
      listEmails: async (request) => {
        const answer = await client.listEmails(request);
        remember(answer.emails);
        return answer;
      },
      listSuggestions: async (request) => {
        const answer = await client.listSuggestions(request);
        remember(answer.emails);
        return answer;
      },
    },
    memory: { find: (emailId) => mails.get(emailId), clear: () => mails.clear() },
  };
};

import type { ApiClient } from '@mailsweep/client';
import { MAX_LOOKUP_IDS } from '@mailsweep/contracts';
import { inChunks } from './in-chunks.ts';

export interface KnownEmail {
  from: string;
  subject: string;
  date: string;
}

/** Emails that this tab has seen, by id: the history has only ids. Kept in memory, and emptied at sign-out. */
export interface EmailCache {
  find: (emailId: string) => KnownEmail | undefined;
  /** Requests unknown emails, in batches. */
  want: (emailIds: readonly string[]) => void;
  /** @returns a function that unsubscribes */
  subscribe: (onChange: () => void) => () => void;
  /** Changes when more is known. */
  version: () => number;
  clear: () => void;
}

/** Remembers the emails that pass through a client. */
export const withEmailCache = (client: ApiClient): { client: ApiClient; memory: EmailCache } => {
  const known = new Map<string, KnownEmail>();
  const asked = new Set<string>();
  const wanted = new Set<string>();
  const listeners = new Set<() => void>();
  let version = 0;

  const remember = (emails: readonly ({ id: string } & KnownEmail)[]) => {
    for (const { id, from, subject, date } of emails) known.set(id, { from, subject, date });
    version += 1;
    for (const listener of listeners) listener();
  };

  type Emails = Parameters<typeof remember>[0];
  const rememberAll = <R extends { emails: Emails } | { data: Emails }>(response: R): R => {
    remember('emails' in response ? response.emails : response.data);
    return response;
  };

  const lookUpWanted = () => {
    const emailIds = [...wanted];
    wanted.clear();
    for (const chunk of inChunks(emailIds, MAX_LOOKUP_IDS)) {
      client
        .lookUpEmails({ body: { emailIds: chunk } })
        .then(({ emails }) => remember(emails))
        // Names are a convenience. Unknown ones are requested again when they next come into view.
        .catch(() => {
          for (const id of chunk) asked.delete(id);
        });
    }
  };

  return {
    client: {
      ...client,
      listEmails: async (request) => rememberAll(await client.listEmails(request)),
      listSuggestions: async (request) => rememberAll(await client.listSuggestions(request)),
      listStoredSuggestions: async (request) => rememberAll(await client.listStoredSuggestions(request)),
      listSenderEmails: async (request) => rememberAll(await client.listSenderEmails(request)),
    },
    memory: {
      find: (emailId) => known.get(emailId),
      want: (emailIds) => {
        if (wanted.size === 0) setTimeout(lookUpWanted);
        for (const id of emailIds) {
          if (known.has(id) || asked.has(id)) continue;
          asked.add(id);
          wanted.add(id);
        }
      },
      subscribe: (onChange) => {
        listeners.add(onChange);
        return () => listeners.delete(onChange);
      },
      version: () => version,
      clear: () => {
        known.clear();
        asked.clear();
      },
    },
  };
};

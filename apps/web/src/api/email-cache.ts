import type { ApiClient } from '@mailsweep/client';
import { MAX_LOOKUP_IDS } from '@mailsweep/contracts';
import { inChunks } from './in-chunks.ts';

/** Who wrote an email, what about, and when. */
export interface KnownEmail {
  from: string;
  subject: string;
  date: string;
}

/**
 * What this tab knows of the emails by id, so that the history, which has only their ids, can name them. Never written
 * anywhere, and emptied at sign-out.
 */
export interface EmailCache {
  find: (emailId: string) => KnownEmail | undefined;
  /** Asks the API for those that are not known yet; what is wanted at the same time goes in one request. */
  want: (emailIds: readonly string[]) => void;
  /** Calls back when more is known. @returns the way to stop that */
  subscribe: (onChange: () => void) => () => void;
  /** Changes when more is known. */
  version: () => number;
  clear: () => void;
}

/** Lets a client remember the emails that pass through it. */
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

  const lookUpWanted = () => {
    const emailIds = [...wanted];
    wanted.clear();
    for (const chunk of inChunks(emailIds, MAX_LOOKUP_IDS)) {
      client
        .lookUpEmails({ body: { emailIds: chunk } })
        .then(({ emails }) => remember(emails))
        // Names are a convenience: without them the ids stay, and are requested again when they next come into view.
        .catch(() => {
          for (const id of chunk) asked.delete(id);
        });
    }
  };

  return {
    client: {
      ...client,
      listEmails: async (request) => {
        const response = await client.listEmails(request);
        remember(response.emails);
        return response;
      },
      listSuggestions: async (request) => {
        const response = await client.listSuggestions(request);
        remember(response.emails);
        return response;
      },
      listStoredSuggestions: async (request) => {
        const response = await client.listStoredSuggestions(request);
        remember(response.data);
        return response;
      },
      listSenderEmails: async (request) => {
        const response = await client.listSenderEmails(request);
        remember(response.data);
        return response;
      },
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

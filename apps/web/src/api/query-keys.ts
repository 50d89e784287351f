import type { QueryClient, QueryKey } from '@tanstack/react-query';

/** Prefix of the keys of all email lists. */
export const EMAIL_LISTS_KEY = ['emails'] as const;
/** Prefix of the keys of stored suggestions: groups, and the emails of one. */
export const SUGGESTIONS_KEY = ['suggestions'] as const;
export const SUGGESTION_GROUPS_KEY = [...SUGGESTIONS_KEY, 'groups'] as const;
export const SUGGESTED_EMAILS_KEY = [...SUGGESTIONS_KEY, 'emails'] as const;
export const NEWEST_EMAILS_KEY = ['newest-emails'] as const;
/** Prefix of the keys of senders: lists, and single ones. */
export const SENDERS_KEY = ['senders'] as const;
export const SENDER_LISTS_KEY = [...SENDERS_KEY, 'list'] as const;
export const PRECISION_KEY = ['precision'] as const;
export const PROTECTIONS_KEY = ['protections'] as const;
/** Key of mutations that change the mailbox. */
export const MAILBOX_CHANGE_KEY = ['mailbox-change'] as const;
export const MAILBOX_KEY = ['mailbox'] as const;
export const RULES_KEY = ['rules'] as const;
/** Prefix of the history's keys. */
export const HISTORY_KEY = ['history'] as const;
/** Prefix of the activity's keys. */
export const ACTIVITY_KEY = ['activity'] as const;
/** What a mailbox change outdates, apart from numbers and rules. */
export const LIST_KEYS = [EMAIL_LISTS_KEY, SUGGESTIONS_KEY, SENDERS_KEY, HISTORY_KEY, ACTIVITY_KEY];
export const CLEANUPS_KEY = ['cleanups'] as const;
export const SCAN_KEY = ['scan'] as const;

/** Longer lists are not refetched as a whole: each page costs quota or server time. */
export const MAX_PAGES_TO_REFRESH = 3;

/** Refetches what is on screen, and marks the rest as stale. */
export const refresh = (queryClient: QueryClient, ...keys: QueryKey[]): Promise<unknown> =>
  Promise.all(
    keys.map(async (queryKey) => {
      const isFetching = { queryKey, fetchStatus: 'fetching' } as const;
      const first = queryClient
        .getQueryCache()
        .findAll(isFetching)
        .filter(({ state }) => state.data === undefined);
      await queryClient.invalidateQueries({ queryKey });
      // TanStack Query joins the first request for a query, which may have been answered before the change. Cancelling it
      // would not stop the API.
      if (first.length > 0)
        await queryClient.refetchQueries({ predicate: (query) => first.includes(query), type: 'active' });
    }),
  );

import type { SuggestionGroup } from '@mailsweep/contracts';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import { useApi } from '../../api/api-context.tsx';
import { toDistinct, toLoading } from '../../queries/paged-list.ts';
import { MAX_PAGES_TO_REFRESH } from '../../queries/refresh.ts';
import { type SuggestionView, suggestedEmailsQuery } from '../../queries/suggestions-query.ts';
import { useDecisions } from '../../suggestions/confirming/decisions.ts';
import { type SuggestedEmail, toSuggestedEmails } from '../../suggestions/suggested-email.ts';

const NO_GROUP = { by: 'sender', key: '', emails: 0 } as const;

/** The emails of a group, newest first, and the state of their loading. @param shown - none while no group is shown */
export const useGroupEmails = (
  shown: Pick<SuggestionGroup, 'by' | 'key' | 'emails'> | undefined,
  view: SuggestionView,
) => {
  const group = shown ?? NO_GROUP;
  const { client } = useApi();
  const queryClient = useQueryClient();
  const decisions = useDecisions();
  const options = suggestedEmailsQuery(client, group, view);
  const query = useInfiniteQuery({ ...options, enabled: shown !== undefined });
  const emails = useMemo((): SuggestedEmail[] => {
    const distinct = toDistinct(query.data?.pages, ({ id }) => id);
    const decided = decisions.flatMap((decision) => ('ids' in decision ? [...decision.ids] : []));
    const decidedIds = new Set(decided);
    return toSuggestedEmails(distinct.filter((email) => !decidedIds.has(email.id)));
  }, [query.data, decisions]);

  const last = useRef(group);
  const pageCount = query.data?.pages.length ?? 0;
  useEffect(() => {
    const hasGrown = last.current.key === group.key && last.current.emails < group.emails;
    last.current = group;
    // The next visit shows the rest of a longer list.
    if (hasGrown && pageCount <= MAX_PAGES_TO_REFRESH)
      void queryClient.invalidateQueries({ queryKey: options.queryKey });
  });
  return { emails, ...toLoading(query) };
};

export type GroupEmails = ReturnType<typeof useGroupEmails>;

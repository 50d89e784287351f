import type { ConfirmAction, SuggestionGroup } from '@mailsweep/contracts';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useMemo, useRef } from 'react';
import { useApi } from '../../api/api-context.tsx';
import { toDistinct, toLoading } from '../../api/paged-list.ts';
import { MAX_PAGES_TO_REFRESH } from '../../api/query-keys.ts';
import { type SuggestionView, suggestedEmailsQuery } from '../../api/suggestions-query.ts';
import { useDecisions } from '../../suggestions/confirming/decisions.ts';
import { type SuggestedEmail, toSuggestedEmails } from '../../suggestions/suggested-email.ts';
import type { Review } from '../decisions/use-review.ts';

const NO_GROUP = { by: 'sender', key: '', emails: 0 } as const;

/** The emails of a group, newest first. @param shown - undefined while none is shown */
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

const route = getRouteApi('/app/suggestions');

/** The previewed email of the active group; Back leads to the group. */
export const usePreview = (emails: readonly SuggestedEmail[], review: Review) => {
  const { email: openId } = route.useSearch();
  const navigate = route.useNavigate();
  const setOpenId = (email: string | undefined) =>
    void navigate({
      search: (current) => ({ ...current, email }),
      hash: true,
      hashScrollIntoView: false,
      replace: openId !== undefined,
    });
  const index = emails.findIndex((email) => email.id === openId);
  const email = emails[index];
  return {
    email,
    open: (id: string | undefined) => {
      review.hold();
      setOpenId(id);
    },
    close: () => setOpenId(undefined),
    move: (by: number) => {
      const next = emails[Math.min(emails.length - 1, Math.max(0, index + by))];
      setOpenId(next?.id);
    },
    /** Decides about this email; the next one takes its place. */
    decide: (action: ConfirmAction) => {
      if (!email || (action === 'accept' && !review.canAcceptOne(email))) return;
      setOpenId((emails[index + 1] ?? emails[index - 1])?.id);
      review.decideOne(action, email);
    },
    toggle: () => {
      if (email) review.toggleEmail(email);
    },
  };
};

export type Preview = ReturnType<typeof usePreview>;

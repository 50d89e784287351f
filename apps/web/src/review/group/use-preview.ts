import type { ConfirmAction } from '@mailsweep/contracts';
import { getRouteApi } from '@tanstack/react-router';
import type { SuggestedEmail } from '../../suggestions/suggested-email.ts';
import type { Review } from '../decisions/use-review.ts';

const route = getRouteApi('/app/suggestions');

/** The email of the active group that is shown beside it; the way back leads from it to the group. */
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
    /** Decides about this email alone; the next one takes its place. */
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

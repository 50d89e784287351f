import type { ConfirmAction } from '@mailsweep/contracts';
import { useMemo, useState } from 'react';
import type { SuggestedMail } from './suggested-mail.ts';
import type { SuggestionGroup } from './suggestion-groups.ts';
import { useConfirm } from './use-confirm.ts';

/** From so many emails for the trash on, accepting asks first. */
const TRASH_CONFIRMATION_FROM = 10;

/** A decision that waits for a yes. */
export interface PendingDecision {
  title: string;
  mails: SuggestedMail[];
}

/** Which group is being looked at, which of its emails are left out, and the decisions on them. */
export const useReview = (groups: readonly SuggestionGroup[]) => {
  const confirm = useConfirm();
  const [activeKey, setActiveKey] = useState<string | null>(null);
  const [leftOut, setLeftOut] = useState<ReadonlySet<string>>(new Set());
  const [pending, setPending] = useState<PendingDecision | null>(null);

  const foundIndex = groups.findIndex((group) => group.key === activeKey);
  const activeIndex = foundIndex < 0 && groups.length > 0 ? 0 : foundIndex;
  const active = groups[activeIndex];
  const chosen = useMemo(
    () => active?.mails.filter((mail) => !leftOut.has(mail.id)) ?? [],
    [active, leftOut],
  );

  const decide = (action: ConfirmAction, mails: readonly SuggestedMail[]) => {
    if (mails.length === 0) return;
    const ids = new Set(mails.map((mail) => mail.id));
    // A group that is decided as a whole makes way for the next one, or for the one before at the end.
    if (active?.mails.every((mail) => ids.has(mail.id))) {
      setActiveKey((groups[activeIndex + 1] ?? groups[activeIndex - 1])?.key ?? null);
    }
    confirm(action, [...ids]);
  };

  const acceptOrAsk = (title: string, mails: readonly SuggestedMail[], askAlways = false) => {
    const trashed = mails.filter((mail) => mail.suggestion.action === 'delete').length;
    if (askAlways || trashed >= TRASH_CONFIRMATION_FROM) setPending({ title, mails: [...mails] });
    else decide('accept', mails);
  };

  return {
    active,
    activeIndex,
    chosen,
    leftOut,
    pending,
    activate: setActiveKey,
    move: (by: number) => {
      const target = Math.min(groups.length - 1, Math.max(0, activeIndex + by));
      setActiveKey(groups[target]?.key ?? null);
    },
    toggleMail: (id: string) =>
      setLeftOut((current) => {
        const next = new Set(current);
        if (!next.delete(id)) next.add(id);
        return next;
      }),
    acceptChosen: () => acceptOrAsk(active?.title ?? '', chosen),
    rejectChosen: () => decide('reject', chosen),
    acceptAll: (title: string) =>
      acceptOrAsk(
        title,
        groups.flatMap((group) => group.mails),
        true,
      ),
    decideOne: (action: ConfirmAction, mail: SuggestedMail) => decide(action, [mail]),
    confirmPending: () => {
      if (pending) decide('accept', pending.mails);
      setPending(null);
    },
    cancelPending: () => setPending(null),
  };
};

export type Review = ReturnType<typeof useReview>;

import type { ConfirmAction } from '@mailsweep/contracts';
import { useState } from 'react';
import type { SuggestedEmail } from './suggested-email.ts';
import type { SuggestionGroup } from './suggestion-groups.ts';
import { useConfirm } from './use-confirm.ts';

/** From so many emails for the trash on, accepting asks first. */
const TRASH_CONFIRMATION_FROM = 10;

/** A decision that waits for a yes. */
export interface PendingDecision {
  title: string;
  emails: SuggestedEmail[];
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
  const isChosen = (email: SuggestedEmail) => !leftOut.has(email.id);
  const chosen = active?.emails.filter(isChosen) ?? [];
  const shown = groups.flatMap((group) => group.emails);
  const chosenOfAll = shown.filter(isChosen);

  const decide = (action: ConfirmAction, emails: readonly SuggestedEmail[]) => {
    if (emails.length === 0) return;
    const ids = new Set(emails.map((email) => email.id));
    // A group that is decided as a whole makes way for the next one, or for the one before at the end.
    if (active?.emails.every((email) => ids.has(email.id))) {
      setActiveKey((groups[activeIndex + 1] ?? groups[activeIndex - 1])?.key ?? null);
    }
    confirm(action, [...ids]);
  };

  const acceptOrAsk = (title: string, emails: readonly SuggestedEmail[], askAlways = false) => {
    const trashed = emails.filter((email) => email.suggestion.action === 'delete').length;
    if (askAlways || trashed >= TRASH_CONFIRMATION_FROM) setPending({ title, emails: [...emails] });
    else decide('accept', emails);
  };

  return {
    active,
    activeIndex,
    chosen,
    /** What is ticked in any group. */
    chosenOfAll,
    shownCount: shown.length,
    leftOut,
    pending,
    activate: setActiveKey,
    move: (by: number) => {
      const target = Math.min(groups.length - 1, Math.max(0, activeIndex + by));
      setActiveKey(groups[target]?.key ?? null);
    },
    toggleEmail: (id: string) =>
      setLeftOut((current) => {
        const next = new Set(current);
        if (!next.delete(id)) next.add(id);
        return next;
      }),
    acceptChosen: () => acceptOrAsk(active?.title ?? '', chosen),
    rejectChosen: () => decide('reject', chosen),
    acceptAll: (title: string) => {
      if (chosenOfAll.length === 0) return;
      acceptOrAsk(chosenOfAll.length === shown.length ? title : 'Accept what is ticked?', chosenOfAll, true);
    },
    decideOne: (action: ConfirmAction, email: SuggestedEmail) => decide(action, [email]),
    confirmPending: () => {
      if (pending) decide('accept', pending.emails);
      setPending(null);
    },
    cancelPending: () => setPending(null),
  };
};

export type Review = ReturnType<typeof useReview>;

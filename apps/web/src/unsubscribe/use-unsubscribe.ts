import { plural, t } from '@lingui/core/macro';
import type { Sender } from '@mailsweep/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../api/api-context.tsx';
import { describeError } from '../api/describe-error.ts';
import { beginGesture } from '../api/gesture.ts';
import { showToast } from '../feedback/toasts.tsx';
import { SENDERS_KEY } from '../queries/query-keys.ts';

/** A sender as the question about unsubscribing needs it. */
export type UnsubscribableSender = Pick<Sender, 'id' | 'from' | 'unsubscribe'>;

/** What the user is asked before anything is sent. */
export interface UnsubscribeQuestion {
  senders: readonly UnsubscribableSender[];
  /** Emails that are archived as well; 0: none. */
  archives: number;
  /** Archives them. */
  onYes?: (() => void) | undefined;
}

/** Asks senders for no more email, once the user has agreed to what is sent to whom. */
export const useUnsubscribe = () => {
  const { client } = useApi();
  const queryClient = useQueryClient();
  const [question, setQuestion] = useState<UnsubscribeQuestion | null>(null);
  const { mutate } = useMutation({
    mutationFn: async (senders: readonly UnsubscribableSender[]) => {
      const gesture = beginGesture();
      // One after the other: the API takes a user's requests in turn.
      for (const [index, { id }] of senders.entries()) {
        await client.unsubscribe({ params: { id }, idempotencyKey: gesture.keyOf(index) });
      }
    },
    onError: (error) => {
      const { title, advice } = describeError(error);
      showToast({
        title: t`Not every request was made: ${{ reason: title }}`,
        detail: advice,
        tone: 'failed',
      });
    },
    onSuccess: (_nothing, { length }) => {
      if (length < 2) return;
      const title = plural(length, {
        one: 'Asked # sender for no more email',
        other: 'Asked # senders for no more email',
      });
      showToast({ title, detail: t`What became of it stands beside each sender.`, tone: 'done' });
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: SENDERS_KEY }),
  });
  return {
    /** What `UnsubscribeDialog` asks. */
    question,
    ask: setQuestion,
    cancel: () => setQuestion(null),
    /** Sends to these, after the question. */
    send: (senders: readonly UnsubscribableSender[]) => {
      setQuestion(null);
      if (senders.length > 0) mutate(senders);
      question?.onYes?.();
    },
  };
};

export type Unsubscribing = ReturnType<typeof useUnsubscribe>;

import { plural, t } from '@lingui/core/macro';
import type { Sender } from '@mailsweep/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../api/api-context.tsx';
import { describeError } from '../api/describe-error.ts';
import { beginGesture } from '../api/gesture.ts';
import { formatCount } from '../email/counts.ts';
import { parseSender } from '../email/sender/sender.ts';
import { showToast, type ToastContent, updateToast } from '../feedback/toasts.tsx';
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

/** Requests in flight at the same time. */
const AT_ONCE = 4;

/** A sender whom no request could be made for, and why. */
interface FailedSender {
  sender: UnsubscribableSender;
  error: unknown;
}

/**
 * Asks senders for no more email, a few at a time. One that fails keeps none of the others back.
 *
 * @param onDone - called with the number of those that are through
 * @returns those that failed, in their order
 */
const askSenders = async (
  senders: readonly UnsubscribableSender[],
  ask: (sender: UnsubscribableSender, index: number) => Promise<unknown>,
  onDone: (count: number) => void,
): Promise<FailedSender[]> => {
  const failures = new Map<number, FailedSender>();
  const left = senders.entries();
  let done = 0;
  const work = async () => {
    for (const [index, sender] of left) {
      await ask(sender, index).catch((error: unknown) => failures.set(index, { sender, error }));
      done += 1;
      onDone(done);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return [...failures].toSorted(([one], [other]) => one - other).map(([, failure]) => failure);
};

const toProgress = (done: number, total: number): ToastContent => ({
  title: t`Asked ${{ done: formatCount(done) }} of ${{ total: formatCount(total) }} senders`,
  tone: 'working',
});

/** What became of the requests, with the names of those that failed. */
const toSummary = (total: number, failed: readonly FailedSender[]): ToastContent => {
  const [first] = failed;
  if (first === undefined) {
    const title = plural(total, {
      one: 'Asked # sender for no more email',
      other: 'Asked # senders for no more email',
    });
    return { title, detail: t`What became of it stands beside each sender.`, tone: 'done' };
  }
  const { title, advice } = describeError(first.error);
  const names = failed.map(({ sender }) => parseSender(sender.from).name).join(', ');
  return {
    title:
      total === 1
        ? t`Not every request was made: ${{ reason: title }}`
        : t`Not asked: ${{ failed: formatCount(failed.length) }} of ${{ total: formatCount(total) }} senders`,
    detail: total === 1 ? advice : t`${names}: ${{ reason: title }}`,
    tone: 'failed',
  };
};

/** Asks senders for no more email, once the user has agreed to what is sent to whom. */
export const useUnsubscribe = () => {
  const { client } = useApi();
  const queryClient = useQueryClient();
  const [question, setQuestion] = useState<UnsubscribeQuestion | null>(null);
  const { mutate } = useMutation({
    mutationFn: async (senders: readonly UnsubscribableSender[]) => {
      const gesture = beginGesture();
      const toast = senders.length > 1 ? showToast(toProgress(0, senders.length)) : undefined;
      const failed = await askSenders(
        senders,
        ({ id }, index) => client.unsubscribe({ params: { id }, idempotencyKey: gesture.keyOf(index) }),
        (done) => toast !== undefined && updateToast(toast, toProgress(done, senders.length)),
      );
      const summary = toSummary(senders.length, failed);
      if (toast !== undefined) updateToast(toast, summary);
      else if (failed.length > 0) showToast(summary);
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

import { plural, t } from '@lingui/core/macro';
import type { ApiClient } from '@mailsweep/client';
import type { Sender, Unsubscribe } from '@mailsweep/contracts';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../api/api-context.tsx';
import { describeError } from '../api/errors.ts';
import { SENDERS_KEY } from '../api/query-keys.ts';
import { formatCount } from '../email/counts.ts';
import { parseSender } from '../email/sender/sender.ts';
import { showToast, type ToastContent, updateToast } from '../feedback/toasts.tsx';

const POLL_MS = 1_500;
/** How long to follow a request; a sender's server may keep it waiting. Unit: milliseconds. */
const FOLLOW_MS = 60_000;

/** Whether a request will probably have an outcome soon. */
export const isUnsubscribing = (unsubscribe: Unsubscribe | null | undefined): boolean =>
  unsubscribe?.state === 'requested' && Date.now() - Date.parse(unsubscribe.at ?? '') < FOLLOW_MS;

/** How to unsubscribe from a sender, polled until the outcome. */
export const unsubscribeQuery = (client: ApiClient, id: string) =>
  queryOptions({
    queryKey: [...SENDERS_KEY, 'unsubscribe', id] as const,
    queryFn: ({ signal }) => client.getUnsubscribe({ params: { id }, signal }),
    refetchInterval: ({ state }) => (isUnsubscribing(state.data) ? POLL_MS : false),
  });

export type UnsubscribableSender = Pick<Sender, 'id' | 'from' | 'unsubscribe'>;

export interface UnsubscribeQuestion {
  senders: readonly UnsubscribableSender[];
  /** Emails to archive as well; 0 for none. */
  archives: number;
  onYes?: (() => void) | undefined;
}

const AT_ONCE = 4;

interface FailedSender {
  sender: UnsubscribableSender;
  error: unknown;
}

/**
 * Sends requests to unsubscribe, a few at a time; one failure does not stop the others.
 *
 * @param onDone - receives the number of completed ones
 * @returns the failed ones, in order
 */
const askSenders = async (
  senders: readonly UnsubscribableSender[],
  ask: (sender: UnsubscribableSender) => Promise<unknown>,
  onDone: (count: number) => void,
): Promise<FailedSender[]> => {
  const failures = new Map<number, FailedSender>();
  const left = senders.entries();
  let done = 0;
  const work = async () => {
    for (const [index, sender] of left) {
      await ask(sender).catch((error: unknown) => failures.set(index, { sender, error }));
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

/** Unsubscribes after the user has confirmed what is sent to whom. */
export const useUnsubscribe = () => {
  const { client } = useApi();
  const queryClient = useQueryClient();
  const [question, setQuestion] = useState<UnsubscribeQuestion | null>(null);
  const { mutate } = useMutation({
    mutationFn: async (senders: readonly UnsubscribableSender[]) => {
      const toast = senders.length > 1 ? showToast(toProgress(0, senders.length)) : undefined;
      const failed = await askSenders(
        senders,
        // The host that the user has seen: an email that came meanwhile may name another one.
        ({ id, unsubscribe }) =>
          client.unsubscribe({ params: { id }, body: { host: unsubscribe?.host ?? null } }),
        (done) => toast !== undefined && updateToast(toast, toProgress(done, senders.length)),
      );
      const summary = toSummary(senders.length, failed);
      if (toast !== undefined) updateToast(toast, summary);
      else if (failed.length > 0) showToast(summary);
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: SENDERS_KEY }),
  });
  return {
    question,
    ask: setQuestion,
    cancel: () => setQuestion(null),
    send: (senders: readonly UnsubscribableSender[]) => {
      setQuestion(null);
      if (senders.length > 0) mutate(senders);
      question?.onYes?.();
    },
  };
};

export type Unsubscribing = ReturnType<typeof useUnsubscribe>;

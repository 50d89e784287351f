import { plural, t } from '@lingui/core/macro';
import type { ApiClient } from '@mailsweep/client';
import type { StoppedSuggestion } from '@mailsweep/contracts';
import type { QueryClient } from '@tanstack/react-query';
import { PRECISION_KEY, refresh, SENDERS_KEY, SUGGESTIONS_KEY } from '../../api/query-keys.ts';
import { parseSender } from '../../email/sender/sender.ts';
import { hideToast, sayUnchanged, showToast, toFailure } from '../../feedback/toasts.tsx';
import { toActionName } from '../suggestion-words.tsx';

interface Dependencies {
  queryClient: QueryClient;
  client: Pick<ApiClient, 'allowSuggestion'>;
}

export const allowSuggestions = async (
  { queryClient, client }: Dependencies,
  stopped: readonly StoppedSuggestion[],
): Promise<void> => {
  try {
    for (const { id } of stopped) await client.allowSuggestion({ params: { id } });
    showToast({ tone: 'done', title: t`It may be suggested again` });
  } catch (error) {
    // The first of several may be allowed already.
    if (stopped.length === 1) sayUnchanged(error);
    else showToast(toFailure(error));
  }
  await refresh(queryClient, PRECISION_KEY, SUGGESTIONS_KEY, SENDERS_KEY);
};

const toTitle = (stopped: readonly StoppedSuggestion[]): string => {
  const [first] = stopped;
  if (stopped.length > 1 || first === undefined) {
    const senders = new Set(stopped.map(({ sender }) => sender)).size;
    return plural(senders, {
      one: 'No longer suggested for # sender',
      other: 'No longer suggested for # senders',
    });
  }
  return t`No longer suggested for ${{ name: parseSender(first.from).name }}: ${{ action: toActionName(first.action) }}`;
};

/**
 * Says that rejections ended suggestions, and offers them again.
 *
 * @returns a function that hides the notice after an undo
 */
export const showStopped = (
  dependencies: Dependencies,
  stopped: readonly StoppedSuggestion[],
): (() => void) => {
  const notice = showToast({
    tone: 'done',
    title: toTitle(stopped),
    detail: t`You rejected it for three emails or more, one after another.`,
    action: { label: t`Allow again`, run: () => void allowSuggestions(dependencies, stopped) },
  });
  return () => hideToast(notice);
};

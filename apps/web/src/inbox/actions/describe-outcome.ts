import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import type { InboxAction, ItemResult } from '@mailsweep/contracts';
import { ACTION_DONE, ALREADY_DONE } from '../../email/action-words.ts';
import { countEmails, formatCount } from '../../email/counts.ts';
import { describeFailures } from '../../feedback/failure-reasons.ts';

/** What an action did, email by email: `6 archived · 1 already archived · 2 could not be processed`. */
export const describeOutcome = (
  action: InboxAction,
  results: readonly ItemResult[],
): { title: string; detail: string } => {
  const failed = results.filter((result) => result.status === 'error').length;
  // Another tab or mail program was faster.
  const unchanged = results.filter((result) => result.status === 'ok' && result.unchanged).length;
  const changed = results.length - failed - unchanged;
  const parts: [count: number, words: string][] = [
    [changed, i18n._(ACTION_DONE[action])],
    [unchanged, i18n._(ALREADY_DONE[action])],
    [failed, t`could not be processed`],
  ];
  const shown = parts.filter(([count]) => count > 0);
  const isOne = shown.length === 1;
  const title = shown.map(([count, words]) => `${isOne ? countEmails(count) : formatCount(count)} ${words}`);
  return { title: title.join(' · '), detail: describeFailures(results) };
};

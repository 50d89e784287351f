import type { InboxAction, ItemResult } from '@mailsweep/contracts';
import { describeFailures } from '../feedback/failure-reasons.ts';
import { countMails, formatCount } from '../mail/counts.ts';

const DONE: Record<InboxAction, string> = {
  archive: 'archived',
  delete: 'moved to Trash',
  mark_unread: 'marked unread',
};

const WORKING: Record<InboxAction, (mails: string) => string> = {
  archive: (mails) => `Archiving ${mails}…`,
  delete: (mails) => `Moving ${mails} to Trash…`,
  mark_unread: (mails) => `Marking ${mails} unread…`,
};

/** While it runs: `Archiving 6 emails…`. */
export const describeWork = (action: InboxAction, count: number): string =>
  WORKING[action](countMails(count));

/** What an action did, email by email: `6 archived · 2 could not be processed`. */
export const describeOutcome = (
  action: InboxAction,
  results: readonly ItemResult[],
): { title: string; detail: string } => {
  const failed = results.filter((result) => result.status === 'error').length;
  const done = results.length - failed;
  if (failed === 0) return { title: `${countMails(done)} ${DONE[action]}`, detail: '' };
  const title = [
    ...(done > 0 ? [`${formatCount(done)} ${DONE[action]}`] : []),
    `${done > 0 ? formatCount(failed) : countMails(failed)} could not be processed`,
  ].join(' · ');
  return { title, detail: describeFailures(results) };
};

import type { InboxAction, ItemResult } from '@mailsweep/contracts';
import { countEmails, formatCount } from '../email/counts.ts';
import { describeFailures } from '../feedback/failure-reasons.ts';

const DONE: Record<InboxAction, string> = {
  archive: 'archived',
  delete: 'moved to Trash',
  mark_unread: 'marked unread',
};

const WORKING: Record<InboxAction, (emails: string) => string> = {
  archive: (emails) => `Archiving ${emails}…`,
  delete: (emails) => `Moving ${emails} to Trash…`,
  mark_unread: (emails) => `Marking ${emails} unread…`,
};

/** While it runs: `Archiving 6 emails…`. */
export const describeWork = (action: InboxAction, count: number): string =>
  WORKING[action](countEmails(count));

/** What an action did, email by email: `6 archived · 2 could not be processed`. */
export const describeOutcome = (
  action: InboxAction,
  results: readonly ItemResult[],
): { title: string; detail: string } => {
  const failed = results.filter((result) => result.status === 'error').length;
  const done = results.length - failed;
  if (failed === 0) return { title: `${countEmails(done)} ${DONE[action]}`, detail: '' };
  const title = [
    ...(done > 0 ? [`${formatCount(done)} ${DONE[action]}`] : []),
    `${done > 0 ? formatCount(failed) : countEmails(failed)} could not be processed`,
  ].join(' · ');
  return { title, detail: describeFailures(results) };
};

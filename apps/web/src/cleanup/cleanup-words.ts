import type { Cleanup, InboxAction } from '@mailsweep/contracts';
import { countEmails, formatCount } from '../email/counts.ts';

const DONE: Record<InboxAction, string> = {
  archive: 'archived',
  delete: 'moved to Trash',
  mark_unread: 'marked unread',
};

const QUESTIONS: Record<InboxAction, (emails: string) => string> = {
  archive: (emails) => `Archive ${emails}?`,
  delete: (emails) => `Move ${emails} to Trash?`,
  mark_unread: (emails) => `Mark ${emails} unread?`,
};

const WORKING: Record<InboxAction, (emails: string) => string> = {
  archive: (emails) => `Archiving ${emails}…`,
  delete: (emails) => `Moving ${emails} to Trash…`,
  mark_unread: (emails) => `Marking ${emails} unread…`,
};

const EXCLUDED: [keyof Cleanup['excluded'], (count: string) => string][] = [
  ['starred', (count) => `${count} starred`],
  ['important', (count) => `${count} marked important`],
  ['conversation', (count) => `${count} in conversations you wrote in`],
];

/** `Archive 3,362 emails?` */
export const askToRun = (action: InboxAction, count: number): string => QUESTIONS[action](countEmails(count));

/** `Archiving 3,362 emails…` */
export const describeStart = (action: InboxAction, count: number): string =>
  WORKING[action](countEmails(count));

/** `1,000 of 3,362` */
export const describeProgress = ({ processed, total }: Cleanup): string =>
  `${formatCount(processed)} of ${formatCount(total)}`;

/** `Left out: 4 starred, 11 in conversations you wrote in.` Empty when nothing is. */
export const describeExclusions = (excluded: Cleanup['excluded']): string => {
  const parts = EXCLUDED.flatMap(([reason, toWords]) => {
    const count = excluded[reason] ?? 0;
    return count > 0 ? [toWords(formatCount(count))] : [];
  });
  return parts.length > 0 ? `Left out: ${parts.join(', ')}.` : '';
};

/** What a cleanup did: `3,359 emails archived`, and what became of the rest. */
export const describeResult = (
  action: InboxAction,
  { changed, unchanged, skipped, failed }: Cleanup,
): { title: string; detail: string } => {
  const rest: [number, string][] = [
    [unchanged, 'needed no change'],
    [skipped, 'left alone: starred, answered or moved meanwhile'],
    [failed, 'could not be processed'],
  ];
  return {
    title: `${countEmails(changed)} ${DONE[action]}`,
    detail: rest
      .filter(([count]) => count > 0)
      .map(([count, words]) => `${formatCount(count)} ${words}`)
      .join(' · '),
  };
};

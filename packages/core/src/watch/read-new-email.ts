import type { Mailbox } from '@mailsweep/mailbox';
import type { WatchRow } from './mailbox-watch.repository.ts';

/** Most emails of one run; the next run, which is due at once, takes more. */
const MAX_RUN_EMAILS = 100;
/** Most emails that are listed where the history is gone; more have not been missed within its life of about a week. */
const MAX_LISTED = 5_000;
/** How much earlier than the last read a list begins, in milliseconds: clocks differ, and email is delayed. */
const LIST_OVERLAP_MS = 2 * 60_000;

type Cursor = Pick<WatchRow, 'historyId' | 'overlapHistoryId' | 'seenEmailIds' | 'readAt'>;

/** The new emails of one run, and where the next one goes on once they are done. */
export interface NewEmail {
  /** Emails that arrived in the inbox and that no run has taken, in the order of their arrival. */
  emailIds: string[];
  /** Whether there are more of them. */
  hasMore: boolean;
  cursor: Cursor;
}

/**
 * Finds what has arrived in the inbox since the last run: 2 quota units when nothing happened. The history is read from
 * where the run before the last one stood, because Gmail shows some records late (docs/decisions/036). Where Gmail no
 * longer has it, the emails received since are listed. The first run finds nothing: it only notes where it stands.
 *
 * @throws {MailboxError}
 */
export const readNewEmail = async (mailbox: Mailbox, watch: Cursor, nowMs: number): Promise<NewEmail> => {
  const readAt = new Date(nowMs);
  if (watch.historyId === null || watch.readAt === null) {
    const historyId = await mailbox.readHistoryId();
    return {
      emailIds: [],
      hasMore: false,
      cursor: { historyId, overlapHistoryId: historyId, seenEmailIds: [], readAt },
    };
  }
  const changes = await mailbox.readChangesSince(watch.overlapHistoryId ?? watch.historyId);
  const arrived = changes
    ? { ids: changes.arrivedIds, historyId: changes.historyId, overlapHistoryId: watch.historyId }
    : await listArrived(mailbox, watch.readAt);

  const seen = new Set(watch.seenEmailIds);
  const unseen = arrived.ids.filter((id) => !seen.has(id));
  const emailIds = unseen.slice(0, MAX_RUN_EMAILS);
  const hasMore = unseen.length > emailIds.length;
  // With more to take, the same stretch is read again, without those that are done.
  const cursor = hasMore
    ? { ...watch, seenEmailIds: [...seen, ...emailIds] }
    : {
        historyId: arrived.historyId,
        overlapHistoryId: arrived.overlapHistoryId,
        seenEmailIds: [...arrived.ids],
        readAt,
      };
  return { emailIds, hasMore, cursor: pickCursor(cursor) };
};

const pickCursor = ({ historyId, overlapHistoryId, seenEmailIds, readAt }: Cursor): Cursor => ({
  historyId,
  overlapHistoryId,
  seenEmailIds,
  readAt,
});

/** The history begins before the list, so that nothing falls in between. */
const listArrived = async (mailbox: Mailbox, readAt: Date) => {
  const historyId = await mailbox.readHistoryId();
  const receivedAfter = new Date(readAt.getTime() - LIST_OVERLAP_MS);
  const { emails } = await mailbox.listEmailIds({ scope: 'inbox', receivedAfter }, MAX_LISTED);
  return { ids: emails.map(({ id }) => id).toReversed(), historyId, overlapHistoryId: historyId };
};

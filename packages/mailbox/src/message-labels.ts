import type { GmailSession } from './gmail-http.ts';
import { toMessageLabelsRequest, toModifyRequest } from './gmail-requests.ts';
import {
  type LabelChangeOutcome,
  type LabelsReading,
  MailboxError,
  type PlannedLabelChange,
} from './mailbox.ts';

const settle = async <T>(work: () => Promise<T>, onFailure: (error: MailboxError) => T): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof MailboxError) return onFailure(error);
    throw error;
  }
};

/** Reads the labels of each message; a fault of one message stands in its own reading. */
export const readLabels = (session: GmailSession, ids: readonly string[]): Promise<LabelsReading[]> =>
  Promise.all(
    ids.map((id) =>
      settle<LabelsReading>(
        async () => ({ id, labels: (await session.send(toMessageLabelsRequest(id))).labelIds ?? [] }),
        (error) => ({ id, error }),
      ),
    ),
  );

/** Changes the labels of each message; a fault of one message stands in its own outcome. */
export const changeLabels = (
  session: GmailSession,
  changes: readonly PlannedLabelChange[],
): Promise<LabelChangeOutcome[]> =>
  Promise.all(
    changes.map((change) =>
      settle<LabelChangeOutcome>(
        async () => {
          const changesNothing = change.added.length + change.removed.length === 0;
          if (!changesNothing) await session.send(toModifyRequest(change));
          return { id: change.id, status: 'ok' };
        },
        (error) => ({ id: change.id, status: 'error', error }),
      ),
    ),
  );

import { z } from 'zod';
import type { GmailClient } from './gmail-client.ts';
import { toForwardedMessage, toPlainMessage } from './test-mail.ts';

/** Label of every message that a live check inserts. */
export const MAIN_LABEL = 'Mailsweep live check';
const INSERTIONS_AT_A_TIME = 5;
const CATEGORIES = ['CATEGORY_PERSONAL', 'CATEGORY_PROMOTIONS'];

export const LabelSchema = z.object({ id: z.string(), name: z.string() });
const InsertedSchema = z.looseObject({ id: z.string() });

/** What the checks work on: messages and labels of our own. */
export interface Workspace {
  mainLabelId: string;
  /** Plain messages in the inbox. */
  messageIds: readonly string[];
  /** Plain messages for the check of categories, by the category's label; '' for none. */
  byCategory: ReadonlyMap<string, string>;
  forwardedId: string;
  /** The keys of a response to an insertion, sorted. */
  insertionKeys: readonly string[];
}

/** Creates a label of ours. */
export const createLabel = async (gmail: GmailClient, name: string): Promise<string> => {
  const body = { name, labelListVisibility: 'labelShow', messageListVisibility: 'show' };
  return (await gmail.must({ method: 'POST', path: 'labels', body }, LabelSchema)).id;
};

/**
 * Inserts the messages of a run. Each has the main label from its first moment on, so that a run that is killed leaves
 * none that the next one would not find.
 */
export const fillWorkspace = async (
  gmail: GmailClient,
  options: { messages: number; onInserted: (id: string, done: number) => void },
): Promise<Workspace> => {
  const mainLabelId = await createLabel(gmail, MAIN_LABEL);
  let done = 0;
  const insert = async (raw: string, labelIds: string[]) => {
    const body = { raw, labelIds: [mainLabelId, ...labelIds] };
    const inserted = await gmail.must({ method: 'POST', path: 'messages', body }, InsertedSchema);
    done += 1;
    options.onInserted(inserted.id, done);
    return inserted;
  };

  const first = await insert(toForwardedMessage(), ['INBOX']);
  const byCategory = new Map<string, string>();
  for (const category of ['', ...CATEGORIES]) {
    const { id } = await insert(toPlainMessage(done), ['INBOX', ...(category === '' ? [] : [category])]);
    byCategory.set(category, id);
  }
  const messageIds: string[] = [];
  while (messageIds.length < options.messages) {
    const count = Math.min(INSERTIONS_AT_A_TIME, options.messages - messageIds.length);
    const round = Array.from({ length: count }, (_, index) =>
      insert(toPlainMessage(done + index), ['INBOX']),
    );
    // All are waited for, also when one fails: none may arrive after everything has been cleaned up.
    for (const settled of await Promise.allSettled(round)) {
      if (settled.status === 'rejected') throw settled.reason;
      messageIds.push(settled.value.id);
    }
  }
  return {
    mainLabelId,
    messageIds,
    byCategory,
    forwardedId: first.id,
    insertionKeys: Object.keys(first).toSorted(),
  };
};

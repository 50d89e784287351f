import { type GmailSession, MailboxError, toMessageLabelsRequest } from '@mailsweep/gmail';

/** The labels of one message, or why they could not be read. */
export type LabelsReading = { id: string; labels: string[] } | { id: string; error: MailboxError };

const readLabelsOf = async (session: GmailSession, id: string): Promise<LabelsReading> => {
  try {
    return { id, labels: (await session.send(toMessageLabelsRequest(id))).labelIds ?? [] };
  } catch (error) {
    if (error instanceof MailboxError) return { id, error };
    throw error;
  }
};

/** Reads the labels of each message; an error of one message is in its own reading. */
export const readLabels = (session: GmailSession, ids: readonly string[]): Promise<LabelsReading[]> =>
  Promise.all(ids.map((id) => readLabelsOf(session, id)));

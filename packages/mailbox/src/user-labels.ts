import { GmailRefusal } from './gmail-errors.ts';
import type { GmailSession } from './gmail-http.ts';
import { toCreateLabelRequest, toLabelListRequest } from './gmail-requests.ts';

const fold = (name: string): string => name.toLowerCase();

const findLabelId = async (session: GmailSession, name: string): Promise<string | undefined> => {
  const { labels } = await session.send(toLabelListRequest());
  const userLabels = (labels ?? []).filter((label) => label.type !== 'system');
  // Gmail takes names that differ only in case for the same.
  return userLabels.find((label) => fold(label.name) === fold(name))?.id;
};

/**
 * The id of the user label with this name, which is made when it is missing. When making it is refused, one look
 * tells whether somebody else was faster.
 *
 * @throws {MailboxError} when the labels cannot be read or the label cannot be made
 */
export const findOrCreateLabel = async (session: GmailSession, name: string): Promise<string> => {
  const existingId = await findLabelId(session, name);
  if (existingId !== undefined) return existingId;
  try {
    return (await session.send(toCreateLabelRequest(name))).id;
  } catch (error) {
    const racedId = error instanceof GmailRefusal ? await findLabelId(session, name) : undefined;
    if (racedId !== undefined) return racedId;
    throw error;
  }
};

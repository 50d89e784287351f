import { GmailRefusal } from './gmail-errors.ts';
import type { GmailSession } from './gmail-http.ts';
import { toCreateLabelRequest, toLabelListRequest } from './gmail-requests.ts';
import { type FoundLabel, type LabelLimits, MailboxError } from './mailbox.ts';

/** Gmail takes names that differ only in case for the same. */
const fold = (name: string): string => name.toLowerCase();

/** The ids of the user labels, by folded name. */
const listLabelIds = async (session: GmailSession): Promise<Map<string, string>> => {
  const { labels } = await session.send(toLabelListRequest());
  const userLabels = (labels ?? []).filter((label) => label.type !== 'system');
  return new Map(userLabels.map(({ id, name }) => [fold(name), id]));
};

/**
 * The user labels with these names, by name; missing ones are created, within limits. The labels are listed once, and
 * once more when Gmail refuses to create one, as another client may have been faster. After any other error no more
 * labels are created. So a call sends two lists and `perCall` creations at most, retries aside.
 *
 * @throws {MailboxError} when the labels cannot be listed
 */
export const findOrCreateLabels = async (
  session: GmailSession,
  names: readonly string[],
  limits: LabelLimits,
): Promise<Map<string, FoundLabel>> => {
  let known = await listLabelIds(session);
  let isListedAgain = false;
  let creations = 0;
  let fault: MailboxError | undefined;

  const isFull = (): boolean => {
    const counted = [...known.keys()].filter((name) => name.startsWith(fold(limits.prefix)));
    return creations >= limits.perCall || counted.length >= limits.inTotal;
  };

  const findKnown = (name: string): FoundLabel | undefined => {
    const id = known.get(fold(name));
    return id === undefined ? undefined : { id };
  };

  const create = async (name: string): Promise<FoundLabel> => {
    if (fault !== undefined) return { reason: fault.code };
    if (isFull()) return { reason: 'too_many_labels' };
    creations += 1;
    try {
      const { id } = await session.send(toCreateLabelRequest(name));
      known.set(fold(name), id);
      return { id };
    } catch (error) {
      if (!(error instanceof MailboxError)) throw error;
      if (error instanceof GmailRefusal) return (await findRaced(name)) ?? { reason: error.code };
      fault = error;
      return { reason: error.code };
    }
  };

  const findRaced = async (name: string): Promise<FoundLabel | undefined> => {
    if (!isListedAgain) known = await listLabelIds(session);
    isListedAgain = true;
    return findKnown(name);
  };

  const found = new Map<string, FoundLabel>();
  for (const name of names) found.set(name, findKnown(name) ?? (await create(name)));
  return found;
};

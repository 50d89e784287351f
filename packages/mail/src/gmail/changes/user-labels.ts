import {
  GmailRefusal,
  type GmailSession,
  toCreateLabelRequest,
  toLabelListRequest,
} from '@mailsweep/mail/gmail/api';
import { type FoundLabel, type LabelLimits, MailboxError } from '@mailsweep/mail/mailbox';
import { attempt } from './send-changes.ts';

/** Most parents created in one call: a slash nests labels, and a name may have many. */
const MAX_PARENTS = 10;

/** Gmail takes names that differ only in case for the same. */
const fold = (name: string): string => name.toLowerCase();

/** Names also conflict at Gmail when they differ only in what separates their words (elie222/inbox-zero#3342). */
const toComparable = (name: string): string =>
  fold(name)
    .replace(/[\s/_.-]+/g, ' ')
    .trim();

/** The ids of the user labels, by folded name. */
const listLabelIds = async (session: GmailSession): Promise<Map<string, string>> => {
  const { labels } = await session.send(toLabelListRequest());
  const userLabels = (labels ?? []).filter((label) => label.type !== 'system');
  return new Map(userLabels.map(({ id, name }) => [fold(name), id]));
};

/** The label that keeps Gmail from creating one of this name. */
const findConflicting = (known: ReadonlyMap<string, string>, name: string): string | undefined => {
  const wanted = toComparable(name);
  return known.get(fold(name)) ?? [...known].find(([other]) => toComparable(other) === wanted)?.[1];
};

/** The names of the labels that one of this name is nested below, outermost first. */
const parentsOf = (name: string): string[] => {
  const parts = name.split('/');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'));
};

/**
 * The user labels with these names, by name; missing ones are created, within limits, their parents first. The labels
 * are listed once, and once more when Gmail refuses to create one of these names: another client may have been faster,
 * or it conflicts with that of another label, which is used instead. After any other error no more labels are created.
 * A call sends two lists and `perCall` + {@link MAX_PARENTS} creations at most, retries aside.
 *
 * @throws {MailboxError} when the labels cannot be listed the first time
 */
export const findOrCreateLabels = async (
  session: GmailSession,
  names: readonly string[],
  limits: LabelLimits,
): Promise<Map<string, FoundLabel>> => {
  let known = await listLabelIds(session);
  let isListedAgain = false;
  const triedParents = new Set<string>();
  let creations = 0;
  let lastError: MailboxError | undefined;

  const isFull = (): boolean => {
    const counted = [...known.keys()].filter((name) => name.startsWith(fold(limits.prefix)));
    return creations >= limits.perCall || counted.length >= limits.inTotal;
  };

  const findKnown = (name: string): FoundLabel | undefined => {
    const id = known.get(fold(name));
    return id === undefined ? undefined : { id };
  };

  const create = async (name: string): Promise<FoundLabel> => {
    if (isFull()) return { reason: 'too_many_labels' };
    await createParents(name);
    if (lastError !== undefined) return { reason: lastError.code };
    creations += 1;
    return await send(name);
  };

  /** Gmail takes a label without its parents, but shows it under its whole name then (mbrt/gmailctl#70). */
  const createParents = async (name: string): Promise<void> => {
    for (const parent of parentsOf(name)) {
      const isTried = triedParents.has(fold(parent)) || triedParents.size >= MAX_PARENTS;
      if (isTried || findConflicting(known, parent) !== undefined) continue;
      triedParents.add(fold(parent));
      await send(parent, true);
    }
  };

  const send = async (name: string, isParent = false): Promise<FoundLabel> => {
    if (lastError !== undefined) return { reason: lastError.code };
    try {
      const { id } = await session.send(toCreateLabelRequest(name));
      known.set(fold(name), id);
      return { id };
    } catch (error) {
      if (!(error instanceof MailboxError)) throw error;
      if (!(error instanceof GmailRefusal)) lastError = error;
      else if (!isParent) return await findRaced(name);
      return { reason: error.code };
    }
  };

  const findRaced = async (name: string): Promise<FoundLabel> => {
    const { response, error } = await attempt(async () => (isListedAgain ? known : listLabelIds(session)));
    if (error) lastError = error;
    else known = response;
    isListedAgain = true;
    const id = findConflicting(known, name);
    return id === undefined ? { reason: error?.code ?? 'label_refused' } : { id };
  };

  const found = new Map<string, FoundLabel>();
  for (const name of names) found.set(name, findKnown(name) ?? (await create(name)));
  return found;
};

import { type FoundLabel, type LabelLimits, MailboxError } from '@mailsweep/mail/mailbox';
import { type AccountMailboxes, forgetMailboxes, MAILBOX_PREFIX, readMailboxesNow } from '../mailboxes.ts';
import type { JmapSession } from '../protocol/jmap-client.ts';
import { JmapMethodError, toRecordError } from '../protocol/jmap-errors.ts';
import { setMailboxes } from '../protocol/jmap-schemas.ts';

/** Most parents created in one call: a slash nests mailboxes, and a name may have many. */
const MAX_PARENTS = 10;

/** Names that differ only in case would be hard to tell apart, and Cyrus compares some of them so. */
const fold = (name: string): string => name.toLowerCase();

/** The mailboxes with mail and without a role, by their names with those of their parents before them: `Mailsweep/News`. */
const toPaths = ({ byId }: AccountMailboxes): Map<string, string> => {
  const pathOf = (id: string, depth = 0): string => {
    const mailbox = byId.get(id);
    if (mailbox === undefined) return '';
    // The parents that a server reports may form a circle.
    const parent = mailbox.parentId == null || depth > byId.size ? '' : pathOf(mailbox.parentId, depth + 1);
    return parent === '' ? mailbox.name : `${parent}/${mailbox.name}`;
  };
  const own = [...byId.values()].filter(({ isMail, role }) => isMail && role == null);
  return new Map(own.map(({ id }) => [fold(pathOf(id)), id]));
};

/**
 * The mailboxes with these names as labels, by name; missing ones are created within limits, their parents first. They are
 * listed once more when the server refuses to create one, because another client may have been faster. After any other
 * error no more are created.
 *
 * @throws {MailboxError} when the mailboxes cannot be listed
 */
export const findOrCreateLabels = async (
  session: JmapSession,
  names: readonly string[],
  limits: LabelLimits,
): Promise<Map<string, FoundLabel>> => {
  const mailboxes = await readMailboxesNow(session);
  let known = toPaths(mailboxes);
  const triedParents = new Set<string>();
  let creations = 0;
  let lastError: MailboxError | undefined;

  const isFull = (): boolean => {
    const counted = [...known.keys()].filter((path) => path.startsWith(fold(limits.prefix)));
    return lastError === undefined && (creations >= limits.perCall || counted.length >= limits.inTotal);
  };

  const send = async (path: string): Promise<FoundLabel> => {
    const parent = known.get(fold(path.slice(0, Math.max(0, path.lastIndexOf('/')))));
    const isAllowed =
      parent === undefined
        ? session.account.accountCapabilities.mayCreateTopLevelMailbox
        : mailboxes.may('mayCreateChild', parent);
    if (!isAllowed || session.account.isReadOnly) return { reason: 'not_permitted' };
    // Where its parent is missing, the mailbox has the whole name.
    const fields = parent === undefined ? { name: path } : { name: path.split('/').at(-1), parentId: parent };
    const [result] = await session.change([setMailboxes({ create: { label: fields } })]);
    if (result instanceof JmapMethodError) throw result;
    const id = result.created?.label?.id;
    if (id === undefined) known = toPaths(await readMailboxesNow(session));
    else known.set(fold(path), id);
    const refusal = result.notCreated?.label ?? { type: '' };
    // All but the name is ours, and the parent may have gone meanwhile (RFC 8620, 5.3).
    const isName = refusal.type === 'invalidProperties' && !refusal.properties?.includes('parentId');
    return findKnown(path) ?? { reason: isName ? 'label_refused' : toRecordError(refusal).code };
  };

  const findKnown = (path: string): FoundLabel | undefined => {
    const id = known.get(fold(path));
    return id === undefined ? undefined : { id: `${MAILBOX_PREFIX}${id}` };
  };

  const create = async (path: string): Promise<FoundLabel> => {
    if (lastError !== undefined) return { reason: lastError.code };
    try {
      return await send(path);
    } catch (error) {
      if (!(error instanceof MailboxError)) throw error;
      lastError = error;
      return { reason: error.code };
    }
  };

  const createParents = async (path: string): Promise<void> => {
    const parts = path.split('/');
    for (const parent of parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'))) {
      if (known.has(fold(parent)) || triedParents.has(parent) || triedParents.size >= MAX_PARENTS) continue;
      triedParents.add(parent);
      await create(parent);
    }
  };

  const found = new Map<string, FoundLabel>();
  for (const name of names) {
    const label = findKnown(name);
    if (label !== undefined) found.set(name, label);
    else if (isFull()) found.set(name, { reason: 'too_many_labels' });
    else {
      await createParents(name);
      creations += 1;
      found.set(name, await create(name));
    }
  }
  // What comes next has to know the new ones; to read them here might fail, and lose what was found.
  if (creations > 0) forgetMailboxes(session);
  return found;
};

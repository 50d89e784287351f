import type { LabelChange } from '@mailsweep/contracts';
import { MailboxError, SYSTEM_LABELS } from '@mailsweep/mail/mailbox';
import { toKeyword } from '../labels.ts';
import { type AccountMailboxes, readMailboxesNow } from '../mailboxes.ts';
import type { JmapSession } from '../protocol/jmap-client.ts';
import { JmapMethodError, UNREADABLE } from '../protocol/jmap-errors.ts';
import { setMailboxes } from '../protocol/jmap-methods.ts';

const NAMES: Record<string, string> = { archive: 'Archive', trash: 'Trash' };

/** The roles of mailboxes that changes may move email to, besides those whose labels they add. */
const toNeededRoles = (changes: readonly LabelChange[]): string[] => {
  const isDelete = ({ added }: LabelChange) => added.includes(SYSTEM_LABELS.trash);
  const mayArchive = (change: LabelChange) =>
    !isDelete(change) && change.removed.some((label) => toKeyword(label) === undefined);
  return [...(changes.some(mayArchive) ? ['archive'] : []), ...(changes.some(isDelete) ? ['trash'] : [])];
};

/**
 * The mailboxes, with one for the archive and one for the trash where the changes need them: any role may be missing
 * (RFC 8621, 2).
 *
 * @throws {MailboxError} when there is none and none can be created
 */
export const withRoles = async (
  session: JmapSession,
  mailboxes: AccountMailboxes,
  changes: readonly LabelChange[],
): Promise<AccountMailboxes> => {
  let missing = toNeededRoles(changes).filter((role) => mailboxes.idOf(role) === undefined);
  if (missing.length === 0) return mailboxes;
  const { isReadOnly, accountCapabilities } = session.account;
  if (isReadOnly || !accountCapabilities.mayCreateTopLevelMailbox) {
    throw new MailboxError(
      isReadOnly ? 'forbidden' : 'not_permitted',
      `The account allows no mailbox for the ${missing.join(', ')}`,
    );
  }
  let refusal: string | undefined;
  // A server may leave roles to itself (James): then the mailbox is known by its name.
  for (const hasRole of [true, false]) {
    const create = missing.map((role) => [role, { name: NAMES[role], ...(hasRole && { role }) }]);
    const [result] = await session.change([setMailboxes({ create: Object.fromEntries(create) })]);
    if (result instanceof JmapMethodError) throw result;
    const now = await readMailboxesNow(session);
    const lacking = missing.find((role) => now.idOf(role) === undefined);
    if (lacking === undefined) return now;
    missing = missing.filter((role) => now.idOf(role) === undefined);
    refusal ??= result.notCreated?.[lacking]?.type;
  }
  throw new JmapMethodError(refusal ?? UNREADABLE, 'Mailbox/set', session.host);
};

import type { JmapSession } from './protocol/jmap-client.ts';
import type { JmapConnection } from './protocol/jmap-connections.ts';
import { getMailboxes } from './protocol/jmap-methods.ts';
import type { JmapMailboxRecord } from './protocol/jmap-schemas.ts';

/** The mailboxes of an account. */
export interface AccountMailboxes {
  byId: ReadonlyMap<string, JmapMailboxRecord>;
  /** The mailbox with a role (RFC 8621, 2); any role may be missing. */
  idOf(role: string): string | undefined;
}

/** How long lists that are shown, and counts, know the mailboxes, in milliseconds: that one gets another role is rare. */
const SHOWN_REUSE_MS = 60_000;
/** The same of lists by which emails are changed: what one piece of work lists belongs together. */
export const WORK_REUSE_MS = 5_000;

const PROPERTIES = ['id', 'name', 'parentId', 'role'];

/** Roles that mailboxes of these names have where no mailbox has the role. */
const NAMED_ROLES = ['archive', 'trash'];

const toAccountMailboxes = (list: readonly JmapMailboxRecord[]): AccountMailboxes => {
  const named = NAMED_ROLES.flatMap((role) => {
    const isNamed = ({ name, parentId, role: other }: JmapMailboxRecord) =>
      other == null && parentId == null && name.toLowerCase() === role;
    const mailbox = list.find(isNamed);
    return mailbox === undefined ? [] : [{ ...mailbox, role }];
  });
  const byRole = new Map([...named, ...list].map(({ id, role }) => [role, id]));
  const roleOf = new Map([...byRole].map(([role, id]) => [id, role]));
  return {
    byId: new Map(list.map((mailbox) => [mailbox.id, { ...mailbox, role: roleOf.get(mailbox.id) ?? null }])),
    idOf: (role) => byRole.get(role),
  };
};

interface KnownMailboxes {
  mailboxes: AccountMailboxes;
  readAtMs: number;
  /** The state of the emails that was read just before; undefined where none was. */
  emailState: string | undefined;
}

const known = new WeakMap<JmapConnection, KnownMailboxes>();

/** Reads all mailboxes. */
export const getAllMailboxes = () => getMailboxes({ ids: null, properties: PROPERTIES });

/**
 * Takes note of all mailboxes.
 *
 * @param emailState - read in the same request, before them
 */
export const noteMailboxes = (
  { clock, connection }: JmapSession,
  list: readonly JmapMailboxRecord[],
  emailState?: string,
): AccountMailboxes => {
  const mailboxes = toAccountMailboxes(list);
  known.set(connection, { mailboxes, readAtMs: clock.nowMs(), emailState });
  return mailboxes;
};

/** Has the mailboxes read again when they are needed next. */
export const forgetMailboxes = ({ connection }: JmapSession): boolean => known.delete(connection);

/** The mailboxes as they were so long ago at most. @throws {MailboxError} */
export const readMailboxes = async (
  session: JmapSession,
  reuseMs = SHOWN_REUSE_MS,
): Promise<AccountMailboxes> => {
  const recent = known.get(session.connection);
  return recent !== undefined && session.clock.nowMs() - recent.readAtMs < reuseMs
    ? recent.mailboxes
    : await readMailboxesNow(session);
};

/** The mailboxes as they are. @throws {MailboxError} */
export const readMailboxesNow = async (session: JmapSession): Promise<AccountMailboxes> => {
  const [{ list }] = await session.send([getAllMailboxes()]);
  return noteMailboxes(session, list);
};

/**
 * The mailboxes as they were after a state of the emails. A change that is made for that state alone then puts no email
 * into a mailbox that is gone, which Cyrus would do, and lose the email: at Cyrus, the state moves with mailboxes, too.
 *
 * @throws {MailboxError}
 */
export const readMailboxesSince = async (
  session: JmapSession,
  emailState: string | undefined,
): Promise<AccountMailboxes> => {
  const recent = known.get(session.connection);
  return recent !== undefined && emailState !== undefined && recent.emailState === emailState
    ? recent.mailboxes
    : await readMailboxesNow(session);
};

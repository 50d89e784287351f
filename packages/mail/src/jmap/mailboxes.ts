import { createHash } from 'node:crypto';
import { MailboxError, SYSTEM_LABELS } from '@mailsweep/mail/mailbox';
import type { JmapSession } from './protocol/jmap-client.ts';
import type { JmapConnection } from './protocol/jmap-connections.ts';
import {
  type EmailState,
  getMailboxes,
  type JmapAccount,
  type JmapMailboxRecord,
  type MailboxRight,
} from './protocol/jmap-schemas.ts';

export interface AccountMailboxes {
  /** `isMail`: whether its email belongs to what is called all mail. */
  byId: ReadonlyMap<string, JmapMailboxRecord & { isMail: boolean }>;
  inboxId: string;
  account: JmapAccount;
  /** The mailbox with a role (RFC 8621, 2); any role but the inbox may be missing. */
  idOf(role: string): string | undefined;
  /** Whether the user has a right in a mailbox; what the server does not say may be tried. */
  may(right: MailboxRight, id: string): boolean;
}

/** How long lists that are shown, and counts, know the mailboxes, in milliseconds: that one gets another role is rare. */
const SHOWN_REUSE_MS = 60_000;
/** The same of lists by which emails are changed: what one piece of work lists belongs together. */
export const WORK_REUSE_MS = 5_000;

const PROPERTIES = ['id', 'name', 'parentId', 'role', 'myRights'];

/**
 * Roles of mailboxes with mail, of those that IANA lists (docs/JMAP.md). What has any other role is none, or is not mail
 * yet, or no longer: trash, junk, drafts, memos, scheduled and snoozed email, and roles that are not known here.
 */
const MAIL_ROLES = new Set('all archive flagged important inbox sent subscribed'.split(' '));

/** Roles that mailboxes of these names have where no mailbox has the role. INBOX is no word of a language (RFC 9051, 5.1). */
const NAMED_ROLES = ['archive', 'inbox', 'trash'];

const toAccountMailboxes = (list: readonly JmapMailboxRecord[], account: JmapAccount): AccountMailboxes => {
  const named = NAMED_ROLES.flatMap((role) => {
    const isNamed = ({ name, parentId, role: other }: JmapMailboxRecord) =>
      other == null && parentId == null && name.toLowerCase() === role;
    const mailbox = list.find(isNamed);
    return mailbox === undefined ? [] : [{ ...mailbox, role }];
  });
  const withRole = [...named, ...list].flatMap(({ id, role }) => (role == null ? [] : [[role, id] as const]));
  const byRole = new Map(withRole);
  const inboxId = byRole.get('inbox');
  if (inboxId === undefined) throw new MailboxError('no_inbox', 'No mailbox of the account is the inbox');
  const roleOf = new Map([...byRole].map(([role, id]) => [id, role]));
  const found = new Map(list.map((mailbox) => [mailbox.id, mailbox]));
  /** By its own role, or by that of the mailbox it is in; the parents that a server reports may form a circle. */
  const isMail = ({ id, role, parentId }: JmapMailboxRecord, depth = 0): boolean => {
    const own = role ?? roleOf.get(id);
    const parent = found.get(parentId ?? '');
    if (own != null) return MAIL_ROLES.has(own);
    return parent === undefined || depth > list.length || isMail(parent, depth + 1);
  };
  return {
    byId: new Map(
      list.map((mailbox) => {
        const role = roleOf.get(mailbox.id) ?? null;
        return [mailbox.id, { ...mailbox, role, isMail: isMail(mailbox) }];
      }),
    ),
    inboxId,
    account,
    idOf: (role) => byRole.get(role),
    may: (right, id) => found.get(id)?.myRights?.[right] ?? true,
  };
};

interface KnownMailboxes {
  mailboxes: AccountMailboxes;
  readAtMs: number;
  /** The state of the emails that was read just before; undefined where none was. */
  emailState: string | undefined;
}

const known = new WeakMap<JmapConnection, KnownMailboxes>();

/** Reads all mailboxes. @param besides - properties of them that are read, too */
export const getAllMailboxes = (besides: readonly string[] = []) =>
  getMailboxes({ ids: null, properties: [...PROPERTIES, ...besides] });

/**
 * Takes note of all mailboxes.
 *
 * @param emailState - read in the same request, before them
 */
export const noteMailboxes = (
  { account, clock, connection }: JmapSession,
  list: readonly JmapMailboxRecord[],
  emailState?: string,
): AccountMailboxes => {
  const mailboxes = toAccountMailboxes(list, account);
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

/** The labels of mailboxes with a role. */
const ROLE_LABELS: ReadonlyMap<string, string> = new Map([
  ['inbox', SYSTEM_LABELS.inbox],
  ['trash', SYSTEM_LABELS.trash],
  ['junk', SYSTEM_LABELS.spam],
  ['sent', SYSTEM_LABELS.sent],
  ['drafts', SYSTEM_LABELS.draft],
]);

/** The labels of keywords; others are ignored. `$important` is registered with IANA, but in no RFC. */
const KEYWORD_LABELS: ReadonlyMap<string, string> = new Map([
  ['$flagged', SYSTEM_LABELS.starred],
  ['$important', SYSTEM_LABELS.important],
  ['$draft', SYSTEM_LABELS.draft],
]);
export const SEEN = '$seen';
const MARK_LENGTH = 8;

/** What the labels of all other mailboxes begin with. No id has a colon (RFC 8620, 1.2). */
export const MAILBOX_PREFIX = 'mbx:';

const findKey = (map: ReadonlyMap<string, string>, value: string): string | undefined =>
  [...map].find(([, other]) => other === value)?.[0];

export interface Place {
  mailboxIds: ReadonlySet<string>;
  keywords: ReadonlySet<string>;
}

const namesOf = (flags: Record<string, boolean> | null | undefined): Set<string> =>
  new Set(Object.entries(flags ?? {}).flatMap(([name, isSet]) => (isSet ? [name] : [])));

export const toPlace = ({ mailboxIds, keywords }: Omit<EmailState, 'id'>): Place => ({
  mailboxIds: namesOf(mailboxIds),
  // Keywords are compared without case (RFC 8621, 4.1.1).
  keywords: new Set([...namesOf(keywords)].map((keyword) => keyword.toLowerCase())),
});

/** The label of a mailbox, and the one of what is no mail where its email is none. */
const toMailboxLabels = (id: string, { byId }: AccountMailboxes): string[] => {
  const { role, isMail = true } = byId.get(id) ?? {};
  const label = ROLE_LABELS.get(role ?? '');
  if (label !== undefined) return [label];
  return [`${MAILBOX_PREFIX}${id}`, ...(isMail ? [] : [SYSTEM_LABELS.chat])];
};

/** What the labels of emails depend on besides the emails: which mailboxes have roles that are labels, or hold no mail. */
export const toRolesMark = ({ byId, idOf }: AccountMailboxes): string => {
  const roles = [...ROLE_LABELS.keys()];
  const others = [...byId.values()].filter(({ isMail, role }) => !isMail && !ROLE_LABELS.has(role ?? ''));
  return createHash('sha256')
    .update(
      JSON.stringify([...roles.map((role) => idOf(role) ?? null), ...others.map(({ id }) => id).toSorted()]),
    )
    .digest('base64url')
    .slice(0, MARK_LENGTH);
};

/** The mailbox that a label stands for; undefined where it stands for none that there is. */
export const toMailboxId = (label: string, { byId, idOf }: AccountMailboxes): string | undefined => {
  const role = findKey(ROLE_LABELS, label);
  if (role !== undefined) return idOf(role);
  const id = label.startsWith(MAILBOX_PREFIX) ? label.slice(MAILBOX_PREFIX.length) : undefined;
  return id !== undefined && byId.has(id) ? id : undefined;
};

/** How a label is kept as a keyword, and whether it is there while the keyword is; undefined where it is none. */
export const toKeyword = (label: string): { keyword: string; isSetWith: boolean } | undefined => {
  if (label === SYSTEM_LABELS.unread) return { keyword: SEEN, isSetWith: false };
  const keyword = findKey(KEYWORD_LABELS, label);
  return keyword === undefined ? undefined : { keyword, isSetWith: true };
};

/** The labels of an email: of its mailboxes and its keywords. */
export const toLabels = ({ mailboxIds, keywords }: Place, mailboxes: AccountMailboxes): string[] => [
  ...new Set([
    ...[...mailboxIds].flatMap((id) => toMailboxLabels(id, mailboxes)),
    ...(keywords.has(SEEN) ? [] : [SYSTEM_LABELS.unread]),
    ...[...keywords].flatMap((keyword) => KEYWORD_LABELS.get(keyword) ?? []),
  ]),
];

/** Where an email with these labels is; labels of mailboxes that are gone are left out. */
export const fromLabels = (labels: readonly string[], mailboxes: AccountMailboxes): Place => ({
  mailboxIds: new Set(labels.flatMap((label) => toMailboxId(label, mailboxes) ?? [])),
  keywords: new Set([
    ...(labels.includes(SYSTEM_LABELS.unread) ? [] : [SEEN]),
    ...labels.flatMap((label) => findKey(KEYWORD_LABELS, label) ?? []),
  ]),
});

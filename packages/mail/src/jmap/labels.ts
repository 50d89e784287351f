import { createHash } from 'node:crypto';
import { SYSTEM_LABELS } from '@mailsweep/mail/mailbox';
import type { AccountMailboxes } from './mailboxes.ts';
import type { EmailState } from './protocol/jmap-schemas.ts';

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

import type { LabelChange } from '@mailsweep/contracts';
import { isMail, MailboxError, SYSTEM_LABELS } from '@mailsweep/mail/mailbox';
import { type AccountMailboxes, type Place, SEEN, toKeyword, toLabels, toMailboxId } from '../mailboxes.ts';

export interface PlannedChange {
  /** A patch (RFC 8620, 5.3), which has the same effect however often it is applied; empty where nothing changes. */
  patch: Record<string, true | null>;
  before: readonly string[];
  after: Place;
  /** The labels that this adds and removes, which may be more than was requested. */
  applied: LabelChange;
  /** Whether the patch leaves the email a mailbox, wherever other clients have moved it meanwhile. */
  isSafe: boolean;
}

const NO_MAIL = new MailboxError('not_found', 'What is no mail is not changed');
const MAILBOX_GONE = new MailboxError('label_gone', 'The mailbox of a label was deleted');
const READ_ONLY = new MailboxError('forbidden', 'The account is read-only');
const NOT_PERMITTED = new MailboxError('not_permitted', 'The rights in a mailbox do not allow the change');
const TOO_MANY = new MailboxError('too_many_mailboxes', 'An email is in so few mailboxes at this server');
const NO_ARCHIVE = new MailboxError('failed', 'There is no mailbox for archived email');

const toPatch = (property: string, before: ReadonlySet<string>, after: ReadonlySet<string>) => [
  ...[...after.difference(before)].map((name) => [`${property}/${name}`, true] as const),
  ...[...before.difference(after)].map((name) => [`${property}/${name}`, null] as const),
];

/** Why the account does not allow to move or mark an email so, as far as it says. */
const whyNot = (
  before: Place,
  after: Place,
  { account, may }: AccountMailboxes,
): MailboxError | undefined => {
  const [into, outOf] = [
    after.mailboxIds.difference(before.mailboxIds),
    before.mailboxIds.difference(after.mailboxIds),
  ];
  const marks = [...before.keywords.symmetricDifference(after.keywords)];
  const isChange = into.size + outOf.size + marks.length > 0;
  if (isChange && account.isReadOnly) return READ_ONLY;
  const isAllowed =
    [...into].every((id) => may('mayAddItems', id)) &&
    [...outOf].every((id) => may('mayRemoveItems', id)) &&
    marks.every((keyword) =>
      // An email may be marked where that is allowed in all its mailboxes (RFC 8621, 2).
      [...before.mailboxIds].every((id) => may(keyword === SEEN ? 'maySetSeen' : 'maySetKeywords', id)),
    );
  if (!isAllowed) return NOT_PERMITTED;
  const most = account.accountCapabilities.maxMailboxesPerEmail ?? Number.POSITIVE_INFINITY;
  return into.size > 0 && after.mailboxIds.size > most ? TOO_MANY : undefined;
};

/**
 * Plans a requested change of an email. An email needs a mailbox (RFC 8621, 4.1.1; Cyrus may destroy one that is taken out
 * of its last): where none would remain it goes to the archive. In the trash it is in no other mailbox.
 *
 * @returns the error where that cannot be done
 */
export const planChange = (
  place: Place,
  { added, removed }: LabelChange,
  mailboxes: AccountMailboxes,
): PlannedChange | MailboxError => {
  const before = toLabels(place, mailboxes);
  if (!isMail(before)) return NO_MAIL;
  const toIds = (labels: readonly string[]) =>
    labels.filter((label) => toKeyword(label) === undefined).map((label) => toMailboxId(label, mailboxes));
  const intoIds = toIds(added);
  // What was deleted comes out of the trash all the same.
  if (intoIds.includes(undefined) && !removed.includes(SYSTEM_LABELS.trash)) return MAILBOX_GONE;
  const into = new Set(intoIds.filter((id) => id !== undefined));
  const outOf = new Set(toIds(removed).filter((id) => id !== undefined));
  const mailboxIds = added.includes(SYSTEM_LABELS.trash)
    ? into
    : place.mailboxIds.difference(outOf).union(into);
  if (mailboxIds.size === 0) {
    const archive = mailboxes.idOf('archive');
    if (archive === undefined) return NO_ARCHIVE;
    mailboxIds.add(archive);
  }
  const keywords = new Set(place.keywords);
  for (const [labels, isAdded] of [
    [added, true],
    [removed, false],
  ] as const) {
    for (const { keyword, isSetWith } of labels.flatMap((label) => toKeyword(label) ?? [])) {
      if (isAdded === isSetWith) keywords.add(keyword);
      else keywords.delete(keyword);
    }
  }
  const after = { mailboxIds, keywords };
  const refusal = whyNot(place, after, mailboxes);
  if (refusal !== undefined) return refusal;
  const labels = new Set(toLabels(after, mailboxes));
  const labelsBefore = new Set(before);
  return {
    patch: Object.fromEntries([
      ...toPatch('mailboxIds', place.mailboxIds, mailboxIds),
      ...toPatch('keywords', place.keywords, keywords),
    ]),
    before,
    after,
    applied: { added: [...labels.difference(labelsBefore)], removed: [...labelsBefore.difference(labels)] },
    isSafe: place.mailboxIds.isSubsetOf(mailboxIds) || !mailboxIds.isSubsetOf(place.mailboxIds),
  };
};

/** The part of a change that shows once the email is at a place. */
export const toVisibleChange = (
  { added, removed }: LabelChange,
  after: Place,
  mailboxes: AccountMailboxes,
): LabelChange => {
  const labels = new Set(toLabels(after, mailboxes));
  return {
    added: added.filter((label) => labels.has(label)),
    removed: removed.filter((label) => !labels.has(label)),
  };
};

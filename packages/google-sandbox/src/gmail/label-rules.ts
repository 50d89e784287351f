import { z } from 'zod';
import { googleError, invalidArgument } from '../protocol/google-errors.ts';
import type { SandboxResponse } from '../response.ts';

/** Labels that Gmail alone gives (googleapis/google-api-php-client#1254; CHAT: GAM-team/got-your-back#135). */
const UNCHANGEABLE = ['SENT', 'DRAFT', 'CHAT'];
const PLACES = ['INBOX', 'SPAM', 'TRASH'];
/** Names that no label may have (GAM-team/got-your-back#95, #109, #350). */
const RESERVED_NAMES = new Set(
  'inbox sent draft drafts chat chats trash spam bin muted migrated important starred unread scheduled snoozed'.split(
    ' ',
  ),
);

export const LabelChangeSchema = z.object({
  ids: z.array(z.string()).default([]),
  addLabelIds: z.array(z.string()).default([]),
  removeLabelIds: z.array(z.string()).default([]),
});
export type LabelChange = z.infer<typeof LabelChangeSchema>;

/** Why Gmail takes no such change of any message; undefined when it does. */
export const findLabelRefusal = ({
  addLabelIds,
  removeLabelIds,
}: LabelChange): SandboxResponse | undefined => {
  const labelIds = [...addLabelIds, ...removeLabelIds];
  // googleapis/google-api-nodejs-client#312
  if (labelIds.length === 0) return invalidArgument('No label add or removes specified');
  const unchangeable = labelIds.find((labelId) => UNCHANGEABLE.includes(labelId));
  if (unchangeable !== undefined) return invalidArgument(`Invalid label: ${unchangeable}`);
  // gauteh/lieer#26
  if (PLACES.filter((place) => addLabelIds.includes(place)).length > 1) {
    return invalidArgument('Can only add one of: INBOX, SPAM, TRASH');
  }
  return undefined;
};

/**
 * A change with what else Gmail does: mail that is moved to the trash or to spam leaves the inbox (fixtures
 * message_modify_response and message_trash_response; openclaw/gogcli#459).
 */
export const completeLabelChange = (change: LabelChange): LabelChange =>
  change.addLabelIds.some((labelId) => labelId === 'TRASH' || labelId === 'SPAM')
    ? { ...change, removeLabelIds: [...new Set([...change.removeLabelIds, 'INBOX'])] }
    : change;

/** Drafts can't have any label other than DRAFT ("Create and send draft emails"). */
export const draftRefusal = (): SandboxResponse => invalidArgument('Invalid label: DRAFT');

/** A label of the user's that was deleted (elie222/inbox-zero, apps/web/utils/gmail/label.ts, expects such words). */
export const labelNotFound = (): SandboxResponse => invalidArgument('labelId not found');

/** gauteh/lieer#207 */
export const labelNameConflict = (): SandboxResponse =>
  googleError({
    status: 409,
    reason: 'aborted',
    message: 'Label name exists or conflicts',
  });

/** Two names conflict when they differ in case, or in what separates their words (elie222/inbox-zero#3342). */
const toComparable = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replace(/[\s/_-]+/g, ' ');

/** Why no label of this name can be made beside the present ones; undefined when it can. */
export const findNameRefusal = (name: string, present: readonly string[]): SandboxResponse | undefined => {
  if (RESERVED_NAMES.has(name.trim().toLowerCase())) return invalidArgument('Invalid label name');
  const wanted = toComparable(name);
  return present.some((other) => toComparable(other) === wanted) ? labelNameConflict() : undefined;
};

import {
  type CreateCleanupRequest,
  type ProtectionReason,
  ProtectionReasonSchema,
  type Suggestion,
} from '@mailsweep/contracts';

/** The classification of receipts. */
export const RECEIPT = 'receipt';

/** Reasons that only keep an email from being cleared away; the others keep every bulk action from it. */
const AGAINST_CLEARING: ReadonlySet<ProtectionReason> = new Set(['invitation', 'notify', 'receipt']);

/** Whether an action takes an email out of the user's sight. */
export const clearsAway = (action: string | undefined): boolean =>
  action === 'archive' || action === 'delete';

/** What a bulk action does, and to which emails. */
type BulkAction = Pick<CreateCleanupRequest, 'selection'> & { action: string };

/** Whether a bulk action is to clear receipts away. Accepting takes what was suggested, and clearing them away is not. */
export const asksForReceipts = ({ action, selection }: BulkAction): boolean =>
  clearsAway(action) &&
  ((selection.type === 'suggestions' && selection.classification === RECEIPT) ||
    // Where senders are named as well, their receipts are not meant.
    (selection.type === 'any' &&
      selection.senders.length === 0 &&
      selection.classifications.includes(RECEIPT)));

/** Whether a bulk action accepts whatever is suggested, and not that of a group that the user has looked at. */
const acceptsAll = ({ action, selection }: BulkAction): boolean =>
  action === 'accept' &&
  selection.type === 'suggestions' &&
  selection.sender === undefined &&
  selection.classification === undefined &&
  selection.actions === undefined;

/**
 * Why a bulk action, or an automatic one, leaves an email alone; undefined when it may act.
 *
 * @param planned - what it would do to the email
 * @param holds - whether a reason holds for the email
 */
export const whyProtected = (
  bulkAction: BulkAction,
  planned: string | undefined,
  holds: (reason: ProtectionReason) => boolean,
): ProtectionReason | undefined => {
  const counts = (reason: ProtectionReason): boolean => {
    if (reason === 'receipt' && asksForReceipts(bulkAction)) return false;
    // Accepting `notify` ends what keeps the email from being cleared away.
    if (reason === 'notify' && acceptsAll(bulkAction)) return true;
    return clearsAway(planned) || !AGAINST_CLEARING.has(reason);
  };
  return ProtectionReasonSchema.options.find((reason) => counts(reason) && holds(reason));
};

/** Whether what is suggested for an email keeps it from being cleared away. */
export const isNoticed = (suggestions: readonly Suggestion[]): boolean =>
  suggestions.some(({ action, classification }) => action === 'notify' || classification === RECEIPT);

/** What may be suggested for a protected email. */
export const withoutClearing = (suggestions: readonly Suggestion[]): Suggestion[] =>
  suggestions.filter(({ action }) => !clearsAway(action));

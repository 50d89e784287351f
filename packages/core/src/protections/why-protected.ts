import {
  type CleanupSelection,
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

/** Whether a bulk action is to clear receipts away. Accepting takes what was suggested, and clearing them away is not. */
export const asksForReceipts = (action: string, selection: CleanupSelection): boolean =>
  clearsAway(action) && selection.type === 'suggestions' && selection.classification === RECEIPT;

/**
 * Why a bulk action, or an automatic one, leaves an email alone; undefined when it may act.
 *
 * @param action - what it would do to the email
 * @param holds - whether a reason holds for the email
 */
export const whyProtected = (
  action: string | undefined,
  holds: (reason: ProtectionReason) => boolean,
): ProtectionReason | undefined =>
  ProtectionReasonSchema.options.find(
    (reason) => (clearsAway(action) || !AGAINST_CLEARING.has(reason)) && holds(reason),
  );

/**
 * Why an email is protected from being cleared away, in view of what is suggested for it.
 *
 * @param reason - whatever is suggested
 */
export const whyNotCleared = (
  reason: ProtectionReason | undefined,
  suggestions: readonly Suggestion[],
): ProtectionReason | undefined => {
  if (reason !== undefined) return reason;
  if (suggestions.some(({ action }) => action === 'notify')) return 'notify';
  return suggestions.some(({ classification }) => classification === RECEIPT) ? 'receipt' : undefined;
};

/** What may be suggested for a protected email. */
export const withoutClearing = (suggestions: readonly Suggestion[]): Suggestion[] =>
  suggestions.filter(({ action }) => !clearsAway(action));

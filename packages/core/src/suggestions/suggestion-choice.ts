import type { Suggestion } from '@mailsweep/contracts';
import { SYSTEM_LABELS } from '@mailsweep/mail/mailbox';

export const byConfidence = (a: Suggestion, b: Suggestion): number => b.confidence_score - a.confidence_score;

/** Whether two suggestions propose the same to a user, whatever their confidence. */
export const isSameSuggestion = (a: Suggestion, b: Suggestion): boolean =>
  a.action === b.action && a.classification === b.classification;

/**
 * Whether accepting the best suggestion changes anything: archiving what has left the inbox does not. Lists and groups
 * leave the same out (`fromCachedEmails`).
 *
 * @param suggestions - best first
 */
export const isWorthDeciding = (labels: readonly string[], [best]: readonly Suggestion[]): boolean =>
  best !== undefined && (best.action !== 'archive' || labels.includes(SYSTEM_LABELS.inbox));

import { type CleanupAction, CleanupActionSchema, type Counts, type Suggestion } from '@mailsweep/contracts';

/**
 * What a cleanup does to an email: its own action or, where it accepts suggestions, that of the best suggestion.
 *
 * @param email.suggestions - best first
 */
export const toPlannedAction = (
  cleanupAction: CleanupAction,
  { suggestions }: { suggestions?: Suggestion[] | undefined },
): string | undefined => (cleanupAction === 'accept' ? suggestions?.[0]?.action : cleanupAction);

/**
 * Counts emails by what a cleanup does to them.
 *
 * @param earlier - counts to add them to
 */
export const countPlannedActions = (
  cleanupAction: string,
  emails: readonly { suggestions?: Suggestion[] | undefined }[],
  earlier: Counts = {},
): Counts => {
  const action = CleanupActionSchema.parse(cleanupAction);
  const counts = new Map(Object.entries(earlier));
  for (const email of emails) {
    const planned = toPlannedAction(action, email);
    if (planned !== undefined) counts.set(planned, (counts.get(planned) ?? 0) + 1);
  }
  return Object.fromEntries(counts);
};

import { type CleanupAction, CleanupActionSchema, type Counts, type Suggestion } from '@mailsweep/contracts';

/** Emails of one step: as many as one call of Gmail's `messages.batchModify` takes. */
export const STEP_SIZE = 1_000;
/** What a step of {@link STEP_SIZE} emails takes, in quota units: 50 for the change, the rest for the history. */
const UNITS_PER_STEP = 65;
/** What an email takes where so few are changed that each has a call of its own, in quota units. */
const UNITS_PER_EMAIL = 6;
/** Time of one step, in seconds: one call of the provider and the history after it. */
const SECONDS_PER_STEP = 4;

const countSteps = (emails: number): number => Math.ceil(emails / STEP_SIZE);

/** What the execution of a plan takes by the benches, in quota units, where the provider has them. */
export const estimateQuotaUnits = (emails: number): number =>
  Math.min(countSteps(emails) * UNITS_PER_STEP, emails * UNITS_PER_EMAIL);

/** How long the execution of a plan takes by the benches, in seconds. */
export const estimateDuration = (emails: number): number => countSteps(emails) * SECONDS_PER_STEP;

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

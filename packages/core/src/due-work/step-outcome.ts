/** What is to be done after a step: the next one, the same again after a while, or what the row itself says. */
export type StepOutcome =
  | { kind: 'next' }
  | { kind: 'wait'; waitMs: number; reason: string }
  | { kind: 'over' };

/** What is to be done after a step of long work: the next one, the same again after a while, or nothing. */
export type StepOutcome =
  | { kind: 'next' }
  | { kind: 'wait'; waitMs: number; reason: string }
  | { kind: 'over' };

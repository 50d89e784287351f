/**
 * Confidence that grows evenly with the evidence, from `low` where the evidence starts to count to `high` where
 * more of it adds nothing. Rounded to two decimals.
 *
 * @param evidence - any quantity, such as days or MB, in the unit of `starts` and `saturates`
 */
export const growConfidence = (
  evidence: number,
  ramp: { starts: number; saturates: number; low: number; high: number },
): number => {
  const share = (evidence - ramp.starts) / (ramp.saturates - ramp.starts);
  const bounded = Math.min(1, Math.max(0, share));
  return Math.round((ramp.low + bounded * (ramp.high - ramp.low)) * 100) / 100;
};

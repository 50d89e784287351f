/** The 97.5 % quantile of the normal distribution, for an interval at 95 %. */
const Z = 1.959964;

/** A measured share with its interval, each from 0 to 1; null where nothing was measured. */
export interface MeasuredRate {
  rate: number | null;
  low: number | null;
  high: number | null;
}

/**
 * The share of successes with the score interval of Wilson at 95 %.
 *
 * Formula: `(p + z²/2n ± z·√(p(1 − p)/n + z²/4n²)) / (1 + z²/n)`. Source: E. B. Wilson, Journal of the American Statistical
 * Association 22 (1927). Unlike the textbook interval it stays within 0 and 1, and says something for few trials and for a
 * share of 100 %.
 *
 * Limits: it takes trials as independent. A user who rejects a whole group at once makes one decision that counts many times.
 */
export const measureRate = (successes: number, trials: number): MeasuredRate => {
  if (trials === 0) return { rate: null, low: null, high: null };
  const rate = successes / trials;
  const spread = Z * Math.sqrt((rate * (1 - rate)) / trials + Z ** 2 / (4 * trials ** 2));
  const middle = rate + Z ** 2 / (2 * trials);
  const scale = 1 + Z ** 2 / trials;
  return {
    rate,
    // Rounding errors must not put the rate itself outside.
    low: successes === 0 ? 0 : (middle - spread) / scale,
    high: successes === trials ? 1 : (middle + spread) / scale,
  };
};

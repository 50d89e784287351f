/** The provider's own count of one user's units, and the most that any 60 seconds held. */
export const createProviderMinute = () => {
  const counted: { atMs: number; units: number }[] = [];
  return {
    count(atMs: number, units: number) {
      counted.push({ atMs, units });
    },
    total: (fromMs: number, untilMs: number): number =>
      counted.reduce((sum, { atMs, units }) => sum + (atMs >= fromMs && atMs < untilMs ? units : 0), 0),
    /** The most units within any 60 seconds, both ends included. */
    peak(): number {
      const ordered = counted.toSorted((one, other) => one.atMs - other.atMs);
      let peak = 0;
      let sum = 0;
      let first = 0;
      for (const { atMs, units } of ordered) {
        sum += units;
        for (let oldest = ordered[first]; oldest && oldest.atMs < atMs - 60_000; oldest = ordered[first]) {
          sum -= oldest.units;
          first += 1;
        }
        peak = Math.max(peak, sum);
      }
      return peak;
    },
  };
};

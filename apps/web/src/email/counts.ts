/** The places in a whole number where the thousands end. */
const THOUSANDS = /\B(?=(?:\d{3}){1,6}$)/g;

/** A whole number with separators: `1,204`. By hand, as the dates in `time/format-time.ts` are. */
export const formatCount = (count: number): string => String(count).replace(THOUSANDS, ',');

/** A total: `1,204`, or `30+` where only so many were counted and more may follow. */
export const formatTotal = (total: number, isExact: boolean): string =>
  `${formatCount(total)}${isExact ? '' : '+'}`;

/** `1 email`, `1,204 emails`. */
export const countEmails = (count: number): string =>
  `${formatCount(count)} ${count === 1 ? 'email' : 'emails'}`;

/** A share from 0 to 1 in whole percent; never 100 unless it is all, never 0 unless it is nothing. */
export const formatShare = (share: number): string => {
  if (share <= 0) return '0%';
  if (share >= 1) return '100%';
  return `${Math.min(99, Math.max(1, Math.round(share * 100)))}%`;
};

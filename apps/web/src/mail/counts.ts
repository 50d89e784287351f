const NUMBER = new Intl.NumberFormat('en');

/** A whole number with separators: `1,204`. */
export const formatCount = (count: number): string => NUMBER.format(count);

/** `1 mail`, `1,204 mails`. */
export const countMails = (count: number): string =>
  `${formatCount(count)} ${count === 1 ? 'mail' : 'mails'}`;

/** A share from 0 to 1 in whole percent; never 100 unless it is all, never 0 unless it is nothing. */
export const formatShare = (share: number): string => {
  if (share <= 0) return '0%';
  if (share >= 1) return '100%';
  return `${Math.min(99, Math.max(1, Math.round(share * 100)))}%`;
};

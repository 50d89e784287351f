import { plural } from '@lingui/core/macro';
import { perLocale } from '../language/current-locale.ts';

const percent = perLocale((locale) => new Intl.NumberFormat(locale, { style: 'percent' }));
const integers = perLocale((locale) => new Intl.NumberFormat(locale));

export const countEach = <T>(values: readonly T[]): [value: T, count: number][] =>
  [...Map.groupBy(values, (value) => value)].map(([value, same]) => [value, same.length]);

/** A whole number with separators: `1,204`. The first format of a visit is slow, and small numbers need none. */
export const formatCount = (count: number): string =>
  count < 1_000 ? String(count) : integers().format(count);

/** `1 email`, `1,204 emails`. */
export const countEmails = (count: number): string => plural(count, { one: '# email', other: '# emails' });

/** A share in percent; 100 only for all, 0 only for nothing. */
export const formatShare = (share: number): string => {
  const isAllOrNothing = share <= 0 || share >= 1;
  return percent().format(Math.min(isAllOrNothing ? 1 : 0.99, Math.max(isAllOrNothing ? 0 : 0.01, share)));
};

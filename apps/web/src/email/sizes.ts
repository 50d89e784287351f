import { t } from '@lingui/core/macro';
import { BYTES_PER_MB } from '@mailsweep/contracts';
import { perLocale } from '../language/current-locale.ts';

const BYTES_PER_KB = 1024;
const MB_PER_GB = 1024;

const toUnitFormat = (unit: 'gigabyte' | 'megabyte' | 'kilobyte', digits: number) =>
  perLocale(
    (locale) =>
      new Intl.NumberFormat(locale, {
        style: 'unit',
        unit,
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
      }),
  );
const gigabyteTenths = toUnitFormat('gigabyte', 1);
const megabyteTenths = toUnitFormat('megabyte', 1);
const wholeMegabytes = toUnitFormat('megabyte', 0);
const wholeKilobytes = toUnitFormat('kilobyte', 0);

/** A size in MB, short: `1.4 GB`, `24 MB`, `1.3 MB`, `120 kB`. */
export const formatMegabytes = (megabytes: number): string => {
  if (megabytes >= 1_000) return gigabyteTenths().format(megabytes / MB_PER_GB);
  if (megabytes >= 10) return wholeMegabytes().format(megabytes);
  if (megabytes >= 0.95) return megabyteTenths().format(megabytes);
  return wholeKilobytes().format(Math.max(1, Math.round(megabytes * BYTES_PER_KB)));
};

export const formatBytes = (bytes: number): string => formatMegabytes(bytes / BYTES_PER_MB);

export const describeFreed = (bytes: number): string =>
  t`${{ size: formatBytes(bytes) }} freed when the trash is emptied`;

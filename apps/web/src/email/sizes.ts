import { BYTES_PER_MB } from '@mailsweep/contracts';

const BYTES_PER_KB = 1024;

/** A size in MB, short: `24.6 MB`, `0.3 MB`, `120 kB`. */
export const formatMegabytes = (megabytes: number): string => {
  if (megabytes >= 10) return `${Math.round(megabytes)} MB`;
  if (megabytes >= 0.95) return `${megabytes.toFixed(1)} MB`;
  return `${Math.max(1, Math.round(megabytes * BYTES_PER_KB))} kB`;
};

/** A size in bytes, short. */
export const formatBytes = (bytes: number): string => formatMegabytes(bytes / BYTES_PER_MB);

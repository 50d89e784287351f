import type { ProgressOptions } from '@mailsweep/client';
import { toNumber } from '../../output/text.ts';
import type { Terminal } from '../../terminal.ts';

const BAR_LENGTH = 24;

/** @example `[######------------------] 1,200 of 4,800` */
export const toBar = (done: number, total: number): string => {
  const filled = total === 0 ? 0 : Math.min(BAR_LENGTH, Math.floor((done / total) * BAR_LENGTH));
  return `[${'#'.repeat(filled).padEnd(BAR_LENGTH, '-')}] ${toNumber(done)} of ${toNumber(total)}`;
};

export const toProgressOptions = ({ signal, intervalMs }: Terminal): ProgressOptions => ({
  signal,
  ...(intervalMs !== undefined && { intervalMs }),
});

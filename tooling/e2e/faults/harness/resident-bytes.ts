import { readFileSync } from 'node:fs';

const PAGE_BYTES = 4_096;

/** Memory that a process really holds (proc(5), statm), in bytes. */
export const readResidentBytes = (pid: number): number => {
  const [, pages = '0'] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ');
  return Number(pages) * PAGE_BYTES;
};

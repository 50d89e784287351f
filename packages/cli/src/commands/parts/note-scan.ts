import type { Output } from '../../output/output.ts';

/** Says where a list may lack email because no scan has looked at the whole mailbox. */
export const noteScan = (output: Output, { complete }: { complete: boolean }): void => {
  if (!complete) output.note('No scan has looked at the whole mailbox yet. Start one with: mailsweep scan');
};

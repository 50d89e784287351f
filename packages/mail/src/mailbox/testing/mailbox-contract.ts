import { describe } from 'vitest';
import { describeActing } from './contract/acting-contract.ts';
import type { ContractServer } from './contract/contract-user.ts';
import { describeHistory } from './contract/history-contract.ts';
import { describeReading } from './contract/reading-contract.ts';

/**
 * What every implementation of `Mailbox` does, whatever the provider.
 *
 * @param openServer - a server with an empty mailbox, for one test
 * @param canRefuse - whether it can be told to refuse changes
 */
export const describeMailboxContract = (
  name: string,
  openServer: () => Promise<ContractServer>,
  canRefuse = false,
): void => {
  describe(`the contract of a mailbox, by ${name}`, () => {
    describeReading(openServer);
    describeActing(openServer, canRefuse);
    describeHistory(openServer);
  });
};

import { describe } from 'vitest';
import { describeActing } from './contract/acting-contract.ts';
import type { ContractServer } from './contract/contract-user.ts';
import { describeHistory } from './contract/history-contract.ts';
import { describeReading } from './contract/reading-contract.ts';

/**
 * What every implementation of `Mailbox` does, whatever the provider.
 *
 * @param openServer - a server with an empty mailbox, for one test
 */
export const describeMailboxContract = (name: string, openServer: () => Promise<ContractServer>): void => {
  describe(`the contract of a mailbox, by ${name}`, () => {
    describeReading(openServer);
    describeActing(openServer);
    describeHistory(openServer);
  });
};

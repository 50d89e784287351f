export { anyText } from './any-text.ts';
export { type ContractServer, describeMailboxContract } from './mailbox-contract.ts';

export { createFakeAccessTokens, type FakeAccessTokens } from './access-tokens.ts';
export { anyText } from './any-text.ts';
export type { ContractServer, DeliveredEmail } from './contract/contract-user.ts';
export { describeMailboxContract } from './mailbox-contract.ts';

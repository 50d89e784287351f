export { createFakeAccessTokens, type FakeAccessTokens } from './access-tokens.ts';
export { anyText } from './any-text.ts';
export { type ContractServer, type DeliveredEmail, describeMailboxContract } from './mailbox-contract.ts';

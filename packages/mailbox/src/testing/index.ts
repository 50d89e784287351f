export { createFakeAccessTokens, type FakeAccessTokens } from './access-tokens.ts';
export { anyText } from './any-text.ts';
export { type ContractServer, describeMailboxContract } from './mailbox-contract.ts';

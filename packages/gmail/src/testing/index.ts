export { type FakeGmail, startFakeGmail } from './fake-gmail/fake-gmail.ts';
export type { FakeGmailContent } from './fake-gmail/fake-mailbox.ts';
export { type FakeMessage, type FakeResponse, refusal } from './fake-gmail/fake-types.ts';

export type { Place } from '../mailboxes.ts';
export { type CyrusServer, findMissingCyrus, startCyrus } from './cyrus.ts';
export { type FakeJmap, startFakeJmap } from './fake-jmap/fake-jmap.ts';
export { PROFILES, SERVERS } from './fake-jmap/profiles.ts';
export { type CyrusAccount, openCyrusAccount } from './test-mailbox.ts';

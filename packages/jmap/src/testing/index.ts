export { type CyrusServer, findMissingCyrus, startCyrus } from './cyrus.ts';
export { type FakeJmap, startFakeJmap } from './fake-jmap/fake-jmap.ts';
export { openCyrusAccount } from './test-mailbox.ts';

export { type ServerFacts, toCapabilities } from './capabilities.ts';
export { createJmapMailbox, type JmapMailboxOptions } from './jmap-mailbox.ts';
export { createJmapConnections, type JmapConnections } from './protocol/jmap-connections.ts';
export { type OwnAccount, readOwnAccount } from './protocol/own-account.ts';
export { type ListeningEnd, listenToAccount } from './push/listen-to-account.ts';

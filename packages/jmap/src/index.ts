export { createJmapClient, type JmapClient, type JmapClientOptions } from './protocol/jmap-client.ts';
export { createJmapConnections, type JmapConnections } from './protocol/jmap-connections.ts';

export { type JmapServer, type JmapUser, startJmapServer } from './jmap-server.ts';

export { type Chunk, type FaultProxy, openFaultProxy } from './fault-proxy.ts';

export { readInherited } from './config.ts';
export { type Chunk, type FaultProxy, openFaultProxy } from './fault-proxy.ts';
export { findFreePort, type PortRange } from './free-port.ts';
export { startHttpsServer } from './https-server.ts';
export { createManualClock, type ManualClock } from './manual-clock.ts';
export { createRecordingLogger, type LogLine } from './recording-logger.ts';
export { createRandom } from './seeded-random.ts';
export { findServerParent } from './server-parent.ts';
export { type CollectedSpan, startTraceCollector, type TraceCollector } from './trace-collector.ts';

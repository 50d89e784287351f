export { SpanKind } from '@opentelemetry/api';
export {
  currentTraceParent,
  inHttpCall,
  inSpan,
  inTraceOf,
  recordFailure,
  startServerSpan,
  toMessageSpan,
} from './spans.ts';

export { SpanKind } from '@opentelemetry/api';
export { inHttpCall, startServerSpan } from './http-spans.ts';
export { currentTraceParent, inSpan, inTraceOf, recordFailure, toMessageSpan } from './spans.ts';

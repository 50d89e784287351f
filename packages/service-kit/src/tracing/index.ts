export { SpanKind } from '@opentelemetry/api';
export { inHttpCall, startServerSpan } from './http-spans.ts';
export { toMessageSpan } from './message-span.ts';
export { currentTraceParent, inSpan, inTraceOf, recordFailure } from './spans.ts';

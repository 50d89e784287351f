import { SpanKind, type SpanOptions } from '@opentelemetry/api';

/**
 * Name and options of a span about jobs of a queue, after OpenTelemetry's conventions for messaging.
 *
 * @param of.id - of the job, where it is about one
 * @param of.count - of the jobs, where it is about a batch
 */
export const toMessageSpan = (
  operation: 'create' | 'send' | 'process',
  queueName: string,
  of: { id: string; attempt?: number } | { count: number },
): [name: string, options: SpanOptions] => [
  `${operation} ${queueName}`,
  {
    kind: operation === 'process' ? SpanKind.CONSUMER : SpanKind.PRODUCER,
    attributes: {
      'messaging.system.name': 'bullmq',
      'messaging.operation.type': operation,
      'messaging.operation.name': operation,
      'messaging.destination.name': queueName,
      ...('id' in of
        ? { 'messaging.message.id': of.id, ...(of.attempt && { 'mailsweep.attempt': of.attempt }) }
        : { 'messaging.batch.message_count': of.count }),
    },
  },
];

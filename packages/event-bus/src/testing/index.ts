export { domainEvents } from './domain-events.ts';
export { eventually } from './eventually.ts';
export { describeOnEachQueue, openTestQueue, type QueueKind, queueUrlOf } from './queue-kinds.ts';

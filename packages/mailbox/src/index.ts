export type { Clock } from './gmail-call.ts';
export * from './gmail-mailbox.ts';
export * from './mailbox.ts';

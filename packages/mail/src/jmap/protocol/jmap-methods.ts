import type { z } from 'zod';
import {
  ChangesSchema,
  MailboxSchema,
  QuerySchema,
  SetSchema,
  ThreadSchema,
  toGetSchema,
} from './jmap-schemas.ts';

/** One method call of a request (RFC 8620, 3.2); the account is added when it is sent. */
export interface MethodCall<T> {
  name: string;
  arguments: Record<string, unknown>;
  response: z.ZodType<T>;
}

/**
 * A value from the response to an earlier call of the same request (RFC 8620, 3.7), for an argument whose name begins
 * with `#`.
 *
 * @param index - of that call in the request
 * @param path - JSON pointer; `*` stands for each item of a list
 */
export const resultOf = (index: number, name: string, path: string) => ({
  resultOf: String(index),
  name,
  path,
});

const toCall =
  <T>(name: string, response: z.ZodType<T>) =>
  (args: Record<string, unknown>): MethodCall<T> => ({ name, arguments: args, response });

export const queryEmails = toCall('Email/query', QuerySchema);
export const changesOfEmails = toCall('Email/changes', ChangesSchema);
export const setEmails = toCall('Email/set', SetSchema);
export const getMailboxes = toCall('Mailbox/get', toGetSchema(MailboxSchema));
export const setMailboxes = toCall('Mailbox/set', SetSchema);
export const getThreads = toCall('Thread/get', toGetSchema(ThreadSchema));
export const getEmails = <T>(record: z.ZodType<T>, args: Record<string, unknown>) =>
  toCall('Email/get', toGetSchema(record))(args);

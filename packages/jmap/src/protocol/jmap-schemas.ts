import { z } from 'zod';

// Unknown fields are dropped. What a server may leave out, or send wrongly, gets a value that is safe.

export const CORE = 'urn:ietf:params:jmap:core';
export const MAIL = 'urn:ietf:params:jmap:mail';

/** A limit that a server does not state is taken to be the least that it should support (RFC 8620, 2). */
const limit = (least: number) => z.number().int().min(1).catch(least);

const LimitsSchema = z.object({
  maxConcurrentRequests: limit(4),
  maxCallsInRequest: limit(16),
  maxObjectsInGet: limit(500),
  maxObjectsInSet: limit(500),
});
/** What a server takes at a time. */
export type JmapLimits = z.infer<typeof LimitsSchema>;

const AccountSchema = z.object({
  // Null at some versions of Cyrus.
  accountCapabilities: z.record(z.string(), z.unknown()).nullish(),
});

/** The session resource (RFC 8620, 2). */
export const SessionResourceSchema = z.object({
  capabilities: z.object({ [CORE]: LimitsSchema.catch(LimitsSchema.parse({})) }),
  accounts: z.record(z.string(), AccountSchema),
  primaryAccounts: z.record(z.string(), z.string()).nullish(),
  apiUrl: z.string(),
  state: z.string(),
});
export type SessionResource = z.infer<typeof SessionResourceSchema>;

/** The response to a request (RFC 8620, 3.4): for each method call its name, or `error`, its arguments and its id. */
export const ResponseSchema = z.object({
  methodResponses: z.array(z.tuple([z.string(), z.unknown(), z.string()])),
  sessionState: z.string().nullish(),
});

/** An error of a method call, or of one record that was to be changed (RFC 8620, 3.6.2 and 5.3). */
export const ErrorSchema = z.object({ type: z.string() });

/** A request that was refused as a whole (RFC 8620, 3.6.1). */
export const RequestErrorSchema = z.object({ type: z.string(), limit: z.string().nullish() });

const IdsSchema = z.array(z.string()).nullish();

/** Email/query. */
export const QuerySchema = z.object({
  ids: z.array(z.string()),
  total: z.number().int().min(0).nullish(),
  /** A limit that the server has put in place of ours. */
  limit: z.number().int().min(0).nullish(),
});

const SetErrorsSchema = z.record(z.string(), ErrorSchema).nullish();

/** Email/set and Mailbox/set, as far as they are used. */
export const SetSchema = z.object({
  newState: z.string(),
  created: z.record(z.string(), z.object({ id: z.string() })).nullish(),
  updated: z.record(z.string(), z.unknown()).nullish(),
  notCreated: SetErrorsSchema,
  notUpdated: SetErrorsSchema,
});

/** A mailbox, as far as it is used: a user's folder or label (RFC 8621, 2). */
export const MailboxSchema = z.object({
  id: z.string(),
  name: z.string(),
  parentId: z.string().nullish(),
  role: z.string().nullish(),
  totalEmails: z.number().int().min(0).nullish(),
  unreadEmails: z.number().int().min(0).nullish(),
});
export type JmapMailboxRecord = z.infer<typeof MailboxSchema>;

const FlagsSchema = z.record(z.string(), z.boolean());

/** Where an email is and how it is marked (RFC 8621, 4.1.1). */
export const EmailStateSchema = z.object({
  id: z.string(),
  mailboxIds: FlagsSchema,
  keywords: FlagsSchema.nullish(),
});
export type EmailState = z.infer<typeof EmailStateSchema>;

/** Response of a method that reads records (RFC 8620, 5.1). */
export const toGetSchema = <T>(record: z.ZodType<T>) =>
  z.object({ state: z.string(), list: z.array(record), notFound: IdsSchema });

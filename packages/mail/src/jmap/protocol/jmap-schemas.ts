import { z } from 'zod';

// Unknown fields are dropped. What a server may leave out, or send wrongly, gets a value that is safe.

export const CORE = 'urn:ietf:params:jmap:core';
export const MAIL = 'urn:ietf:params:jmap:mail';

/** A limit that a server does not state is taken to be the least that it should support (RFC 8620, 2). */
const limit = (least: number) => z.number().int().min(1).catch(least);

const LimitsSchema = z.object({
  /** Of a request's body, in bytes. */
  maxSizeRequest: limit(10_000_000),
  maxConcurrentRequests: limit(4),
  maxCallsInRequest: limit(16),
  maxObjectsInGet: limit(500),
  maxObjectsInSet: limit(500),
});
/** What a server takes at a time. */
export type JmapLimits = z.infer<typeof LimitsSchema>;

/** What an account can do with mail (RFC 8621, 1.3.1); Cyrus says nothing of it. */
const MailCapabilitySchema = z
  .object({
    [MAIL]: z.object({
      maxMailboxesPerEmail: z.number().int().min(1).nullable().catch(null),
      mayCreateTopLevelMailbox: z.boolean().catch(true),
    }),
  })
  .transform((capabilities) => capabilities[MAIL])
  .catch({ maxMailboxesPerEmail: null, mayCreateTopLevelMailbox: true });

/** An account; what a server does not say of it, it does not allow. */
const AccountSchema = z.object({
  name: z.string().catch(''),
  isPersonal: z.boolean().catch(false),
  isReadOnly: z.boolean().catch(true),
  accountCapabilities: MailCapabilitySchema,
});
export type JmapAccount = z.infer<typeof AccountSchema>;

/** RFC 8620, 1.2. */
const IdSchema = z
  .string()
  .max(255)
  .regex(/^[\w-]+$/);

/** The session resource (RFC 8620, 2). */
export const SessionResourceSchema = z.object({
  capabilities: z.object({ [CORE]: LimitsSchema.catch(LimitsSchema.parse({})) }),
  accounts: z.record(IdSchema, AccountSchema),
  primaryAccounts: z.record(z.string(), IdSchema).catch({}),
  username: z.string().catch(''),
  apiUrl: z.string(),
  eventSourceUrl: z.string().catch(''),
  state: z.string(),
});
export type SessionResource = z.infer<typeof SessionResourceSchema>;

/** What an event source tells (RFC 8620, 7.1): by account, the new states. */
export const StateChangeSchema = z.object({ changed: z.record(z.string(), z.unknown()) });

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
const QuerySchema = z.object({
  ids: z.array(z.string()),
  total: z.number().int().min(0).nullish(),
  /** Of the first id in the whole list, from 0. */
  position: z.number().int().nullish(),
});

/** Email/changes. */
const ChangesSchema = z.object({
  newState: z.string(),
  hasMoreChanges: z.boolean(),
  created: IdsSchema,
  updated: IdsSchema,
  destroyed: IdsSchema,
});

const SetErrorsSchema = z
  .record(z.string(), ErrorSchema.extend({ properties: z.array(z.string()).nullish() }))
  .nullish();

/** Email/set and Mailbox/set, as far as they are used. */
const SetSchema = z.object({
  newState: z.string(),
  created: z.record(z.string(), z.object({ id: z.string() })).nullish(),
  updated: z.record(z.string(), z.unknown()).nullish(),
  notCreated: SetErrorsSchema,
  notUpdated: SetErrorsSchema,
});
export type SetResult = z.infer<typeof SetSchema>;

const right = z.boolean().catch(true);
const RightsSchema = z.object({
  mayAddItems: right,
  mayRemoveItems: right,
  maySetSeen: right,
  maySetKeywords: right,
  mayCreateChild: right,
});
export type MailboxRight = keyof z.infer<typeof RightsSchema>;

/** A mailbox, as far as it is used: a user's folder or label (RFC 8621, 2). */
const MailboxSchema = z.object({
  id: z.string(),
  name: z.string(),
  parentId: z.string().nullish(),
  role: z.string().toLowerCase().nullish(),
  myRights: RightsSchema.nullish(),
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
export const EMAIL_STATE_PROPERTIES = Object.keys(EmailStateSchema.shape);

const BodyPartSchema = z.object({
  type: z.string().nullish(),
  name: z.string().nullish(),
  disposition: z.string().nullish(),
  cid: z.string().nullish(),
  size: z.number().min(0).nullish(),
  subParts: z.array(z.unknown()).nullish(),
});
/** A node of an email's MIME tree (RFC 8621, 4.1.4). */
export type BodyPart = Omit<z.infer<typeof BodyPartSchema>, 'subParts'>;

/** Parts nested deeper are left out; no email has them for its reader's sake. */
const MAX_PART_DEPTH = 100;

/** A MIME tree, read as its leaves. Reads from a list: a sender nests as deep as they like, the call stack is short. */
const BodyLeavesSchema = z.unknown().transform((root, context): BodyPart[] => {
  const leaves: BodyPart[] = [];
  const waiting = [{ value: root, depth: 0 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { success, data: part } = BodyPartSchema.safeParse(next.value);
    if (!success) {
      context.addIssue('a part is not as RFC 8621, 4.1.4, describes it');
      return z.NEVER;
    }
    const { subParts, ...leaf } = part;
    const depth = next.depth + 1;
    if (subParts == null || subParts.length === 0) leaves.push(leaf);
    else if (depth < MAX_PART_DEPTH) waiting.push(...subParts.map((value) => ({ value, depth })));
  }
  return leaves;
});
export const BODY_PROPERTIES = Object.keys(BodyPartSchema.shape);

const RawHeaderSchema = z.string().nullish();
const RawHeadersSchema = z.array(z.string()).nullish();

/** An email as lists of ids need it. */
export const ListedEmailSchema = EmailStateSchema.extend({
  threadId: z.string(),
  receivedAt: z.string(),
  bodyStructure: BodyLeavesSchema.nullish(),
  'header:From:asRaw:all': RawHeadersSchema,
  'header:List-Id:asRaw': RawHeaderSchema,
  'header:Auto-Submitted:asRaw': RawHeaderSchema,
});
export const LISTED_PROPERTIES = [...EMAIL_STATE_PROPERTIES, 'threadId', 'receivedAt'];
/** What tells the category of an email. */
export const CATEGORY_PROPERTIES = ['header:List-Id:asRaw', 'header:Auto-Submitted:asRaw'];
export type ListedEmail = z.infer<typeof ListedEmailSchema>;

/**
 * An email with what is read of it to list it; bodies are never asked for. A raw header is what the sender wrote: its text
 * is decoded in one place.
 */
export const UnsignedEmailSchema = ListedEmailSchema.extend({
  size: z.number().int().min(0).nullish(),
  preview: z.string().nullish(),
  /** RFC 8621, 4.1.2.3. */
  sentAt: z.string().nullish().catch(null),
  'header:Subject:asRaw': RawHeaderSchema,
  'header:List-Unsubscribe:asRaw:all': RawHeadersSchema,
  'header:List-Post:asRaw:all': RawHeadersSchema,
  'header:To:asRaw:all': RawHeadersSchema,
  'header:Cc:asRaw:all': RawHeadersSchema,
});

/** With what is read besides where the operator has named the server whose `Authentication-Results` are believed. */
export const EmailSchema = UnsignedEmailSchema.extend({
  'header:List-Unsubscribe-Post:asRaw:all': RawHeadersSchema,
  'header:Authentication-Results:asRaw:all': RawHeadersSchema,
  'header:DKIM-Signature:asRaw:all': RawHeadersSchema,
});
export type JmapEmail = z.infer<typeof EmailSchema>;

/** Response of a method that reads records (RFC 8620, 5.1). */
const toGetSchema = <T>(record: z.ZodType<T>) =>
  z.object({ state: z.string(), list: z.array(record), notFound: IdsSchema });

/** A conversation (RFC 8621, 3). */
const ThreadSchema = z.object({ id: z.string(), emailIds: z.array(z.string()) });

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

import { z } from 'zod';

// Gmail leaves out what is empty, so all but identifiers may be missing. Unknown fields are dropped, above all the
// `data` of a body: no mail text gets past this file, even from a server that ignores the field mask.

/** A point of the mailbox's history: a whole number of any length, in decimal digits. */
const HistoryIdSchema = z
  .string()
  .regex(/^\d{1,39}$/)
  .transform(BigInt);

const MessageHeaderSchema = z.object({
  name: z.string(),
  value: z
    .string()
    .nullish()
    .transform((value) => value ?? ''),
});
export type MessageHeader = z.infer<typeof MessageHeaderSchema>;

const MessagePartSchema = z.object({
  mimeType: z.string().nullish(),
  filename: z.string().nullish(),
  headers: z.array(MessageHeaderSchema).nullish(),
  body: z.object({ size: z.number().min(0).nullish(), attachmentId: z.string().nullish() }).nullish(),
  parts: z.array(z.unknown()).nullish(),
});
/** A node of a message's MIME tree, the root included. */
export type MessagePart = Omit<z.infer<typeof MessagePartSchema>, 'parts'> & {
  parts?: MessagePart[] | null | undefined;
};

/** Parts nested deeper are left out; no mail has them for its reader's sake. */
const MAX_PART_DEPTH = 100;

/** A MIME tree, read level by level: a sender nests as deep as they like, and the call stack is short. */
const PayloadSchema = z.unknown().transform((root, context): MessagePart => {
  const whole: z.infer<typeof MessagePartSchema> = { parts: [root] };
  let level = [whole];
  for (let depth = 0; level.length > 0; depth += 1) {
    const next: typeof level = [];
    for (const part of level) {
      const children = z.array(MessagePartSchema).safeParse(depth < MAX_PART_DEPTH ? (part.parts ?? []) : []);
      if (!children.success) {
        context.addIssue('a part is not as the reference of users.messages describes it');
        return z.NEVER;
      }
      if (part.parts) part.parts = children.data;
      next.push(...children.data);
    }
    level = next;
  }
  return (whole as MessagePart).parts?.[0] ?? {};
});

/** Response of `users.messages.get` with format `full` under {@link MESSAGE_FIELDS}. */
export const MessageSchema = z.object({
  id: z.string(),
  threadId: z.string().nullish(),
  labelIds: z.array(z.string()).nullish(),
  historyId: HistoryIdSchema.nullish(),
  snippet: z.string().nullish(),
  internalDate: z.string().nullish(),
  sizeEstimate: z.number().int().min(0).nullish(),
  payload: PayloadSchema.nullish(),
});
export type Message = z.infer<typeof MessageSchema>;

/** Response of `users.threads.get` with format `full` under {@link THREAD_FIELDS}. */
export const ThreadSchema = z.object({ messages: z.array(MessageSchema).nullish() });
export type Thread = z.infer<typeof ThreadSchema>;

/** Response of `users.messages.get` with format `minimal`: the labels, and the last history record of the message. */
export const MessageLabelsSchema = z.object({
  labelIds: z.array(z.string()).nullish(),
  historyId: HistoryIdSchema.nullish(),
});
export type MessageLabels = z.infer<typeof MessageLabelsSchema>;

/** Response of `users.messages.modify`: the labels after it, true up to the history id. */
export const ModifiedMessageSchema = z.object({
  id: z.string(),
  labelIds: z.array(z.string()).nullish(),
  historyId: HistoryIdSchema.nullish(),
});
export type ModifiedMessage = z.infer<typeof ModifiedMessageSchema>;

/** Response of `users.messages.list`. */
export const MessageListSchema = z.object({
  messages: z.array(z.object({ id: z.string(), threadId: z.string().nullish() })).nullish(),
  nextPageToken: z.string().nullish(),
});
export type MessageList = z.infer<typeof MessageListSchema>;

const ChangedMessageSchema = z.object({ message: z.object({ id: z.string() }) });
const ChangedLabelsSchema = ChangedMessageSchema.extend({ labelIds: z.array(z.string()).nullish() });

const AddedMessageSchema = z.object({
  message: z.object({
    id: z.string(),
    threadId: z.string().nullish(),
    labelIds: z.array(z.string()).nullish(),
  }),
});

/** Response of `users.history.list`: changes after a point, oldest first, and the current history id. */
export const HistoryPageSchema = z.object({
  history: z
    .array(
      z.object({
        id: HistoryIdSchema,
        labelsAdded: z.array(ChangedLabelsSchema).nullish(),
        labelsRemoved: z.array(ChangedLabelsSchema).nullish(),
        messagesDeleted: z.array(ChangedMessageSchema).nullish(),
        messagesAdded: z.array(AddedMessageSchema).nullish(),
      }),
    )
    .nullish(),
  historyId: HistoryIdSchema.nullish(),
  nextPageToken: z.string().nullish(),
});
export type HistoryPage = z.infer<typeof HistoryPageSchema>;

/** Response of `users.getProfile`: the current history id. */
export const ProfileSchema = z.object({ historyId: HistoryIdSchema });
export type Profile = z.infer<typeof ProfileSchema>;

const CountSchema = z.number().int().min(0);

/** Response of `users.getProfile`: how many messages the whole mailbox has. */
export const MailboxSizeSchema = z.object({ messagesTotal: CountSchema });
export type MailboxSize = z.infer<typeof MailboxSizeSchema>;

/** Response of `users.labels.get`: how many messages have the label, and how many of them are unread. */
export const LabelSizeSchema = z.object({ messagesTotal: CountSchema, messagesUnread: CountSchema });
export type LabelSize = z.infer<typeof LabelSizeSchema>;

/** One label; Gmail calls its own `system` and a user's `user`. */
export const LabelSchema = z.object({ id: z.string(), name: z.string(), type: z.string().nullish() });
export type Label = z.infer<typeof LabelSchema>;

/** Response of `users.labels.list`. */
export const LabelListSchema = z.object({ labels: z.array(LabelSchema).nullish() });
export type LabelList = z.infer<typeof LabelListSchema>;

/** Body of an error response (Google Cloud API design guide, "Errors"), the old `errors` list and the new `details`. */
export const GoogleErrorSchema = z.object({
  error: z.object({
    message: z.string().nullish(),
    errors: z.array(z.object({ reason: z.string().nullish() })).nullish(),
    details: z.array(z.object({ reason: z.string().nullish() })).nullish(),
  }),
});

/** How many levels of MIME parts are asked for: attachments of a mail forwarded within forwarded mails included. */
const MASK_DEPTH = 8;

const partFields = (depth: number): string => {
  const own = 'mimeType,filename,headers(name,value),body(size,attachmentId)';
  return depth === 0 ? own : `${own},parts(${partFields(depth - 1)})`;
};

/** The partial-response mask of a whole message: everything an email is made of, but never the data of a body. */
export const MESSAGE_FIELDS = `${Object.keys(MessageSchema.omit({ payload: true }).shape)},payload(${partFields(MASK_DEPTH)})`;

/** The same for every message of a conversation. */
export const THREAD_FIELDS = `messages(${MESSAGE_FIELDS})`;

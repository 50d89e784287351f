import { z } from 'zod';
import type { SandboxResponse } from '../response.ts';

// What the sandbox itself reads of the emulator's responses.

export const MessageListSchema = z.object({
  messages: z.array(z.object({ id: z.string(), threadId: z.string() })),
  nextPageToken: z.string().optional(),
  resultSizeEstimate: z.number(),
});
export type ListedMessage = z.infer<typeof MessageListSchema>['messages'][number];

const HistoryMessageSchema = z.object({
  id: z.string(),
  threadId: z.string(),
  labelIds: z.array(z.string()),
});
const LabelEventSchema = z.object({ message: HistoryMessageSchema, labelIds: z.array(z.string()) });
const MessageEventSchema = z.object({ message: HistoryMessageSchema });

export const HistorySchema = z.object({
  history: z.array(
    z.object({
      id: z.string(),
      messages: z.array(HistoryMessageSchema),
      messagesAdded: z.array(MessageEventSchema).default([]),
      messagesDeleted: z.array(MessageEventSchema).default([]),
      labelsAdded: z.array(LabelEventSchema).default([]),
      labelsRemoved: z.array(LabelEventSchema).default([]),
    }),
  ),
  historyId: z.string(),
  nextPageToken: z.string().optional(),
});
/** One change of one message, as the emulator tells it. */
export type EmulatorRecord = z.infer<typeof HistorySchema>['history'][number];

export const LabelSchema = z.object({
  id: z.string(),
  name: z.string(),
  messageListVisibility: z.string().optional(),
  labelListVisibility: z.string().optional(),
  type: z.string(),
});
export const LabelsSchema = z.object({ labels: z.array(LabelSchema) });

export const MessageLabelsSchema = z.object({ labelIds: z.array(z.string()) });

/** A conversation; what its messages hold passes as it is. */
export const ThreadSchema = z.object({
  id: z.string(),
  historyId: z.string(),
  messages: z.array(z.looseObject({ id: z.string() })),
});

/** The size of a message as the emulator gives it. */
export const MessageSizeSchema = z.object({ sizeEstimate: z.number() });

/** A part of a message, which may have parts of its own. */
export interface PayloadPart {
  filename?: string | undefined;
  parts?: PayloadPart[] | undefined;
}
const PayloadPartSchema: z.ZodType<PayloadPart> = z.object({
  filename: z.string().optional(),
  get parts() {
    return z.array(PayloadPartSchema).optional();
  },
});
/** The parts of a message as the emulator gives it. */
export const MessagePayloadSchema = z.object({ payload: PayloadPartSchema });

/**
 * Reads a response that has to be a success.
 *
 * @throws when it is none, or has another shape: the emulator is not the one we know
 */
export const parseResponse = <T extends z.ZodType>(schema: T, response: SandboxResponse): z.output<T> => {
  if (response.status !== 200) throw new Error(`The emulator responded with ${response.status}.`);
  return schema.parse(JSON.parse(response.body));
};

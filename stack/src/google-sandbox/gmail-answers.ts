import { z } from 'zod';
import type { Answer } from './answer.ts';

// What the sandbox itself reads of the emulator's answers.

export const MessageListSchema = z.object({
  messages: z.array(z.object({ id: z.string(), threadId: z.string() })),
  nextPageToken: z.string().optional(),
  resultSizeEstimate: z.number(),
});
export type ListedMessage = z.infer<typeof MessageListSchema>['messages'][number];

const HistoryMessageSchema = z.object({ id: z.string(), labelIds: z.array(z.string()) });

export const HistorySchema = z.object({
  history: z.array(
    z.object({
      messages: z.array(HistoryMessageSchema),
      messagesDeleted: z.array(z.object({ message: z.object({ id: z.string() }) })).default([]),
    }),
  ),
  historyId: z.string(),
  nextPageToken: z.string().optional(),
});

export const LabelsSchema = z.object({
  labels: z.array(z.object({ id: z.string(), name: z.string(), type: z.string() })),
});

/** The size of a message as the emulator gives it. */
export const MessageSizeSchema = z.object({ sizeEstimate: z.number() });

/**
 * Reads an answer that has to be a success.
 *
 * @throws when it is none, or has another shape: the emulator is not the one we know
 */
export const parseAnswer = <T extends z.ZodType>(schema: T, answer: Answer): z.output<T> => {
  if (answer.status !== 200) throw new Error(`The emulator answered ${answer.status}.`);
  return schema.parse(JSON.parse(answer.body));
};

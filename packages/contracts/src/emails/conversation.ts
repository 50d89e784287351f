import { z } from 'zod';
import { CountSchema } from '../values/scalars.ts';
import { EmailIdSchema, EmailSchema } from './email.ts';

/** Path of `GET /api/v1/conversations/{threadId}`. */
export const ConversationParamsSchema = z.strictObject({ threadId: EmailIdSchema });

/** Response of `GET /api/v1/conversations/{threadId}`. */
export const ConversationSchema = z
  .object({
    threadId: z.string(),
    emails: z.array(EmailSchema).meta({
      description: 'Emails of the conversation that are in the inbox, newest first.',
    }),
    otherMessages: CountSchema.meta({
      description:
        'How many more messages the conversation has: sent or archived ones. Drafts, chats, spam and trash are not counted.',
    }),
  })
  .meta({ id: 'Conversation' });
export type Conversation = z.infer<typeof ConversationSchema>;

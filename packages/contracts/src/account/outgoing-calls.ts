import { z } from 'zod';
import { MlRequestItemSchema } from '../suggestions/suggestion.ts';
import { TimestampSchema } from '../values/scalars.ts';

const CallCountsSchema = z.object({
  calls: z.int().min(0),
  bytesSent: z.int().min(0).meta({ description: 'Bytes, headers included where they can be told.' }),
  bytesReceived: z.int().min(0).meta({ description: 'Bytes, headers included where they can be told.' }),
});

export const OutgoingCallsSchema = z
  .object({
    host: z.string().nullable().meta({
      description:
        'The host, with the port unless it is the usual one. null for hosts that emails or strangers name: `unsubscribeHosts` lists those of your requests to unsubscribe.',
      example: 'gmail.googleapis.com',
    }),
    purpose: z
      .enum(['mailbox', 'sign_in', 'classification', 'workflow', 'push', 'unsubscribe', 'assistant', 'other'])
      .meta({ description: 'What the host was called for.' }),
    emailFields: z.array(z.string()).meta({
      description: 'The fields of emails that calls for this purpose send; empty where they send none.',
    }),
    total: CallCountsSchema,
    last30Days: CallCountsSchema,
    lastAt: TimestampSchema.meta({ description: 'When the host was last called, to a few seconds.' }),
  })
  .meta({ id: 'OutgoingCalls' });
export type OutgoingCalls = z.infer<typeof OutgoingCallsSchema>;

/** What each service is called for, by the name that spans have for it, and which fields of emails the calls send. */
export const CALL_PURPOSES: ReadonlyMap<string, Pick<OutgoingCalls, 'purpose' | 'emailFields'>> = new Map(
  Object.entries({
    gmail: { purpose: 'mailbox', emailFields: [] },
    jmap: { purpose: 'mailbox', emailFields: [] },
    'identity-provider': { purpose: 'sign_in', emailFields: [] },
    'mail-domain': { purpose: 'sign_in', emailFields: [] },
    classification: { purpose: 'classification', emailFields: Object.keys(MlRequestItemSchema.shape) },
    // Subjects of sampled emails in events; sender and subject in forwarded notifications.
    webhook: { purpose: 'workflow', emailFields: ['id', 'from', 'subject'] },
    push: { purpose: 'push', emailFields: ['id', 'from', 'subject'] },
    unsubscribe: { purpose: 'unsubscribe', emailFields: [] },
    'client-document': { purpose: 'assistant', emailFields: [] },
    unknown: { purpose: 'other', emailFields: [] },
  }),
);

/** Response of `GET /api/v1/me/outgoing-calls`: every host that was called, most recently called first. */
export const ListOutgoingCallsResponseSchema = z
  .object({
    since: TimestampSchema.nullable().meta({ description: 'The day of the first call; null before any.' }),
    user: z.array(OutgoingCallsSchema).meta({ description: 'Calls that were made for you.' }),
    unsubscribeHosts: z
      .array(z.string())
      .meta({ description: 'The hosts that your requests to unsubscribe were sent to.' }),
    installation: z.array(OutgoingCallsSchema).meta({
      description:
        'Calls that were made for no user in particular: sign-ins, until it is known who signs in.',
    }),
  })
  .meta({ id: 'OutgoingCallList' });
export type ListOutgoingCallsResponse = z.infer<typeof ListOutgoingCallsResponseSchema>;

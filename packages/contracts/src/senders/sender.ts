import { z } from 'zod';
import { EmailIdSchema, EmailSchema } from '../emails/email.ts';
import { StoredSuggestionSchema } from '../suggestions/suggestion.ts';
import { PaginationQuerySchema, paginated } from '../values/pagination.ts';
import { SearchWordsSchema, TimestampSchema } from '../values/scalars.ts';
import { SenderIdSchema, SenderSortSchema } from '../values/sender-order.ts';
import { ProtectionReasonSchema } from './protection.ts';
import { UnsubscribeSchema } from './unsubscribe.ts';

/** The emails of one sender, without spam, trash and sent mail. */
export const SenderSchema = z
  .object({
    id: SenderIdSchema,
    from: z.string().meta({ description: 'Name and address, from the newest email.' }),
    mails: z.number().int().min(1),
    inInbox: z.number().int().min(0).meta({ description: 'Emails that are still in the inbox.' }),
    unread: z.number().int().min(0),
    bytes: z.number().min(0).meta({ description: 'Size of all emails together.' }),
    lastSeen: TimestampSchema,
    suggested: z.number().int().min(0).meta({ description: 'Emails with open suggestions.' }),
    protected: z.boolean().meta({ description: 'Whether the user protected this sender, or its domain.' }),
    unsubscribe: UnsubscribeSchema.nullable().meta({
      description: 'Null where no email that was read offers it, and it was not requested.',
    }),
  })
  .meta({ id: 'Sender' });
export type Sender = z.infer<typeof SenderSchema>;

const CountSchema = z.number().int().min(0);

/** A sender, with how many of its emails a cleanup of them takes now. */
export const SenderDetailsSchema = SenderSchema.extend({
  takes: z
    .object({ archive: CountSchema, delete: CountSchema, mark_read: CountSchema, label: CountSchema })
    .meta({ description: 'Emails that a cleanup of this sender acts on, by its action.' }),
  excluded: z.partialRecord(ProtectionReasonSchema, CountSchema).meta({
    description: 'Emails that it would not delete, by the reason for which they are protected.',
  }),
}).meta({ id: 'SenderDetails' });
export type SenderDetails = z.infer<typeof SenderDetailsSchema>;

/** The email in a path. */
export const EmailParamsSchema = z.strictObject({ id: EmailIdSchema });

/** Response of `GET /api/v1/senders`. */
export const ListSendersResponseSchema = paginated(SenderSchema)
  .extend({
    complete: z.boolean().meta({ description: 'Whether a scan has looked at the whole mailbox.' }),
    scannedAt: TimestampSchema.nullable().meta({ description: 'When it was completed.' }),
  })
  .meta({ id: 'SenderPage' });
export type ListSendersResponse = z.infer<typeof ListSendersResponseSchema>;

/** An email as it was last seen, with what is suggested for it. */
export const KeptEmailSchema = EmailSchema.extend({
  suggestions: z.array(StoredSuggestionSchema),
  protection: ProtectionReasonSchema.nullable().meta({
    description:
      'Why the email is protected, as far as that is known without asking the mail provider; null when it is not.',
  }),
}).meta({ id: 'KeptEmail' });
export type KeptEmail = z.infer<typeof KeptEmailSchema>;

/** The sender in a path. */
export const SenderParamsSchema = z.strictObject({ id: SenderIdSchema });

/** Response of `GET /api/v1/senders/{id}/emails`: newest first; without spam, trash, and what the user wrote. */
export const ListSenderEmailsResponseSchema = paginated(KeptEmailSchema).meta({ id: 'KeptEmailPage' });

/** Response of `GET /api/v1/suggestions/stored`: emails with open suggestions, newest first. */
export const ListStoredSuggestionsResponseSchema = paginated(KeptEmailSchema).meta({
  id: 'StoredSuggestionPage',
});

/** Query of `GET /api/v1/senders`. */
export const ListSendersQuerySchema = PaginationQuerySchema.extend({
  sort: SenderSortSchema.default('mails').meta({ description: 'The highest value comes first.' }),
  search: SearchWordsSchema.optional().meta({
    description: 'Words that the name and address of a sender have, in any order and case.',
  }),
});
export type ListSendersQuery = z.infer<typeof ListSendersQuerySchema>;

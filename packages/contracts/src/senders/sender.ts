import { z } from 'zod';
import { EmailIdSchema, EmailSchema } from '../emails/email.ts';
import { StoredSuggestionSchema } from '../suggestions/suggestion.ts';
import { PaginationQuerySchema, paginated } from '../values/pagination.ts';
import { CountsSchema, SearchWordsSchema, TimestampSchema } from '../values/scalars.ts';
import { SenderGroupingSchema, SenderIdSchema, SenderSortSchema } from '../values/sender-order.ts';
import { ProtectionReasonSchema } from './protection.ts';
import { UnsubscribeCountsSchema, UnsubscribeSchema, UnsubscribeStateSchema } from './unsubscribe.ts';

/** The emails of one sender, without spam, trash and sent mail. */
export const SenderSchema = z
  .object({
    id: SenderIdSchema,
    from: z.string().meta({ description: 'Name and address, from the newest email.' }),
    group: z
      .object({
        by: SenderGroupingSchema.exclude(['address']),
        name: z.string().meta({
          description: 'The domain, or the address of the mailing list; otherwise that of the sender.',
        }),
        addresses: z.number().int().min(1),
      })
      .optional()
      .meta({ description: 'What the senders have in common, where it is not one address.' }),
    mails: z.number().int().min(1),
    inInbox: z.number().int().min(0).meta({ description: 'Emails that are still in the inbox.' }),
    unread: z.number().int().min(0),
    bytes: z.number().min(0).meta({ description: 'Size of all emails together.' }),
    lastSeen: TimestampSchema,
    suggested: z.number().int().min(0).meta({ description: 'Emails with open suggestions.' }),
    suggestedActions: CountsSchema.optional().meta({
      description:
        'These emails by the action of the best suggestion, without those of which it is advice; left out where there are none.',
    }),
    read: z.number().int().min(0).optional().meta({
      description:
        'How many of the emails Mailsweep has read, where that is not all of them: `mails`, `inInbox`, `unread` and `olderThanYear` then count what the survey listed; `bytes`, `lastSeen` and `suggested` only know what was read.',
    }),
    olderThanYear: z.number().int().min(0).optional().meta({
      description: 'Emails older than 365 days, as the survey listed them; with `read` only.',
    }),
    protected: z.boolean().meta({
      description: 'Whether the user protected this sender, or its domain; of a group, each of its senders.',
    }),
    failsDmarc: z.boolean().optional().meta({
      description: 'true: the newest email fails DMARC (`failsDmarc` of emails). Otherwise left out.',
    }),
    unsubscribe: UnsubscribeSchema.nullable().meta({
      description:
        'Null where no email that was read offers it, and it was not requested; also of a group, whose senders offer it one by one.',
    }),
  })
  .meta({ id: 'Sender' });
export type Sender = z.infer<typeof SenderSchema>;

const CountSchema = z.number().int().min(0);

/** A sender, with how many of its emails a cleanup takes now. */
export const SenderDetailsSchema = SenderSchema.extend({
  takes: z
    .object({ archive: CountSchema, delete: CountSchema, mark_read: CountSchema, label: CountSchema })
    .meta({ description: 'Emails that a cleanup of this sender acts on, by its action.' }),
  excluded: z.partialRecord(ProtectionReasonSchema, CountSchema).meta({
    description: 'Emails that it would not delete, by the reason for which they are protected.',
  }),
}).meta({ id: 'SenderDetails' });
export type SenderDetails = z.infer<typeof SenderDetailsSchema>;

export const EmailParamsSchema = z.strictObject({ id: EmailIdSchema });

/** Response of `GET /api/v1/senders`. */
export const ListSendersResponseSchema = paginated(SenderSchema)
  .extend({
    complete: z.boolean().meta({ description: 'Whether a scan has looked at the whole mailbox.' }),
    scannedAt: TimestampSchema.nullable().meta({
      description: 'When that scan ended; null before there was one.',
    }),
    unsubscribed: UnsubscribeCountsSchema.optional().meta({
      description: 'Of all senders who accepted a request to unsubscribe; left out where there is none.',
    }),
  })
  .meta({ id: 'SenderPage' });
export type ListSendersResponse = z.infer<typeof ListSendersResponseSchema>;

/** An email as last seen, with its suggestions. */
export const KeptEmailSchema = EmailSchema.extend({
  suggestions: z.array(StoredSuggestionSchema),
  protection: ProtectionReasonSchema.nullable().meta({
    description:
      'Why the email is protected, as far as that is known without asking the mail provider; null when it is not.',
  }),
}).meta({ id: 'KeptEmail' });
export type KeptEmail = z.infer<typeof KeptEmailSchema>;

export const SenderParamsSchema = z.strictObject({ id: SenderIdSchema });

/** Response of `GET /api/v1/senders/{id}/emails`: newest first, without spam, trash and sent mail. */
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
  unsubscribe: UnsubscribeStateSchema.extract(['still_sending'])
    .optional()
    .meta({ description: 'Only senders whose `unsubscribe.state` is this.' }),
  by: SenderGroupingSchema.optional().meta({
    description:
      'address: each address is one; so it is when left out. domain: senders of the same registered domain are one, but for addresses at public mail providers. list: emails of the same mailing list (`List-Id`) are one; what came by none is listed by address. Neither goes with `group` or `unsubscribe`.',
  }),
  group: SenderIdSchema.optional().meta({
    description: 'Only the senders of the group with this id, each with its emails in the group.',
  }),
});
export type ListSendersQuery = z.infer<typeof ListSendersQuerySchema>;

import { z } from 'zod';
import { MAX_LOOKUP_IDS } from '../values/limits.ts';
import { EmailIdSchema, EmailSchema } from './email.ts';

/** Body of `POST /api/v1/emails/lookup`. */
export const LookUpEmailsRequestSchema = z
  .strictObject({ emailIds: z.array(EmailIdSchema).min(1).max(MAX_LOOKUP_IDS) })
  .meta({ id: 'LookUpEmailsRequest' });
export type LookUpEmailsRequest = z.infer<typeof LookUpEmailsRequestSchema>;

/** Enough to recognize an email by. */
export const EmailNameSchema = EmailSchema.pick({ id: true, from: true, subject: true, date: true }).meta({
  id: 'EmailName',
});
export type EmailName = z.infer<typeof EmailNameSchema>;

/** Response of `POST /api/v1/emails/lookup`, in the order of the request; deleted emails are left out. */
export const LookUpEmailsResponseSchema = z
  .object({ emails: z.array(EmailNameSchema) })
  .meta({ id: 'LookUpEmailsResponse' });
export type LookUpEmailsResponse = z.infer<typeof LookUpEmailsResponseSchema>;

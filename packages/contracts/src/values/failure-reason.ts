import { z } from 'zod';

/** Why the mailbox refused a call. */
export const MailboxFaultSchema = z.enum([
  'not_found',
  // The label to put on the email was deleted in the mailbox meanwhile; another attempt creates it again.
  'label_gone',
  'forbidden',
  'rate_limited',
  // The daily quota of the operator's Google project is used up.
  'daily_limit_exceeded',
  'mailbox_unavailable',
  'reauth_required',
  // The user has to sign in again and tick the box for Gmail.
  'missing_scope',
  // The account has no Gmail, or its administrator has turned it off.
  'mail_service_disabled',
  // The administrator of the account does not allow this app.
  'domain_policy',
  // The operator has to enable the Gmail API in the Google project.
  'gmail_api_disabled',
  // The provider does not accept the operator's OAuth client.
  'provider_configuration',
  'failed',
]);
export type MailboxFault = z.infer<typeof MailboxFaultSchema>;

/** Why one email of a request was not acted upon. */
export const FailureReasonSchema = z.enum([
  ...MailboxFaultSchema.options,
  // Accepting the suggestion would create more labels than one request, or one mailbox, may have.
  'too_many_labels',
  // The outcome of an earlier change of the email is pending; retry in a minute.
  'in_progress',
]);
export type FailureReason = z.infer<typeof FailureReasonSchema>;

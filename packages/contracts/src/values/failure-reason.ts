import { z } from 'zod';

export const MailboxFaultSchema = z.enum([
  'not_found',
  // The label was deleted meanwhile; another attempt creates it again.
  'label_gone',
  // The provider does not take the name of a label.
  'label_refused',
  // Another client changed the email in the same moment: it is left alone.
  'changed_since',
  'forbidden',
  // The user's rights in a mailbox do not allow it.
  'not_permitted',
  // The server keeps an email in so few mailboxes.
  'too_many_mailboxes',
  'rate_limited',
  // The daily quota of the operator's Google project is used up.
  'daily_limit_exceeded',
  'mailbox_unavailable',
  'reauth_required',
  // The user must sign in again and tick the box for Gmail.
  'missing_scope',
  // The account has no Gmail, or its administrator turned it off.
  'mail_service_disabled',
  // The server shows no mailbox as the inbox.
  'no_inbox',
  // The administrator of the account does not allow this app.
  'domain_policy',
  // The operator must enable the Gmail API in the Google project.
  'gmail_api_disabled',
  // The provider does not accept the operator's OAuth client.
  'provider_configuration',
  'failed',
]);
export type MailboxFault = z.infer<typeof MailboxFaultSchema>;

/** Why one email of a request was not acted upon. */
export const FailureReasonSchema = z.enum([
  ...MailboxFaultSchema.options,
  // More labels than a request may create or a mailbox may have.
  'too_many_labels',
  // An earlier change is pending; retry in a minute.
  'in_progress',
]);
export type FailureReason = z.infer<typeof FailureReasonSchema>;

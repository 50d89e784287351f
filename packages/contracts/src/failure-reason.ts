import { z } from 'zod';

/** Why one email of a request was not acted upon. */
export const FailureReasonSchema = z.enum([
  'not_found',
  'forbidden',
  'rate_limited',
  'mailbox_unavailable',
  'reauth_required',
  'failed',
]);
export type FailureReason = z.infer<typeof FailureReasonSchema>;

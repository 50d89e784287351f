import type { z } from 'zod';

/** One request to the Gmail API. */
export interface GmailRequest<T> {
  method: 'GET' | 'POST';
  /** Path below the mailbox of the signed-in user, its parts already encoded. */
  path: string;
  query?: URLSearchParams;
  /** Sent as JSON. */
  body?: unknown;
  /** Schema of a good response. */
  response: z.ZodType<T>;
}

import type { z } from 'zod';

/** One request to the Gmail API. */
export interface GmailRequest<T> {
  method: 'GET' | 'POST';
  /** Path below the mailbox of the signed-in person, its parts already encoded. */
  path: string;
  query?: URLSearchParams;
  /** Sent as JSON. */
  body?: unknown;
  /** What a good answer looks like. */
  response: z.ZodType<T>;
}

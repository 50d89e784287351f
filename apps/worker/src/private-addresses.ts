import { z } from 'zod';

const WORDS = [['none'], ['webhook', 'unsubscribe', 'push']];

/** What may go to private networks: purposes with commas between them, or `none`. */
export const PrivateAddressesSchema = z
  .string()
  .default('webhook')
  .transform((list) => new Set(list.split(',').map((purpose) => purpose.trim())))
  .refine((purposes) => WORDS.some((words) => purposes.isSubsetOf(new Set(words))), {
    error: 'must be none, or some of webhook, unsubscribe and push with commas between them',
  });

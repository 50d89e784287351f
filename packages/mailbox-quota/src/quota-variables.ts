import { z } from 'zod';
import { DEFAULT_QUOTA_LIMITS } from './quota.ts';
import { DEFAULT_CONCURRENT_CALLS } from './quota-governor.ts';
import { DEFAULT_QUOTA_PRICES } from './quota-prices.ts';

const METHODS = Object.keys(DEFAULT_QUOTA_PRICES);

/** `messages.get=5,messages.trash=5`: the prices that differ from the defaults. */
const PricesSchema = z
  .string()
  .transform((text) => text.split(',').map((entry) => entry.trim().split('=')))
  .refine(
    (entries) =>
      entries.every(
        ([method = '', units = '', ...rest]) =>
          METHODS.includes(method) && /^[1-9]\d{0,4}$/.test(units) && rest.length === 0,
      ),
    { error: `must be a list such as messages.get=5,messages.trash=5 of ${METHODS.join(', ')}` },
  )
  .transform((entries) => ({
    ...DEFAULT_QUOTA_PRICES,
    ...Object.fromEntries(entries.map(([method = '', units]) => [method, Number(units)])),
  }));

/** The variables that tell how much the mail provider allows; every process that opens mailboxes reads them. */
export const quotaVariables = {
  GMAIL_QUOTA_UNITS_PER_MINUTE: z.coerce.number().int().min(100).default(DEFAULT_QUOTA_LIMITS.unitsPerMinute),
  GMAIL_QUOTA_PRICES: PricesSchema.default(DEFAULT_QUOTA_PRICES),
  GMAIL_QUOTA_INTERACTIVE_RESERVE: z.coerce
    .number()
    .min(0)
    .max(0.9)
    .default(DEFAULT_QUOTA_LIMITS.interactiveReserve),
  GMAIL_CONCURRENT_CALLS: z.coerce.number().int().min(2).max(100).default(DEFAULT_CONCURRENT_CALLS),
  GMAIL_BATCH_READS: z
    .enum(['true', 'false'])
    .default('true')
    .transform((text) => text === 'true'),
};

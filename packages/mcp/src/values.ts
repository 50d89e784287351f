import { z } from 'zod';

const MAX_ITEMS = 25;
const DEFAULT_ITEMS = 10;
const SENDER_ID = /^[0-9a-f]{64}$/;

export const CountSchema = z.number().int().min(0);
export const LimitSchema = z.number().int().min(1).max(MAX_ITEMS).default(DEFAULT_ITEMS);
export const PageSchema = z.number().int().min(1).max(1_000).default(1);
export const ProbabilitySchema = z.number().min(0).max(1);
export const SenderIdSchema = z
  .string()
  .regex(SENDER_ID)
  .meta({ description: 'The id of a sender, from list_senders or list_suggestions.' });
export const PlanIdSchema = z.uuid().meta({ description: 'The id that plan_cleanup returned.' });
export const CountsSchema = z.record(z.string(), CountSchema);

/** The fields that have a value: the API takes no others. */
export const given = <T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };

/** @example countOf(3_362, 'email') is `3362 emails` */
export const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

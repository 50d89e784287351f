import { closestMatch } from 'leven';
import { z } from 'zod';

const MAX_ITEMS = 25;
const DEFAULT_ITEMS = 10;
const SENDER_ID = /^[0-9a-f]{64}$/;

/** A name without what models write in other ways: `olderThanDays` and `older_than_days` are the same. */
const toPlain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z]/g, '');

/** @example describeUnknown('olderThan', ['scope', 'olderThanDays']) asks for the latter */
const describeUnknown = (name: string, known: string[]): string => {
  const plain = toPlain(name);
  const others = new Map(known.map((other) => [toPlain(other), other]));
  const part = [...others.keys()].find((other) => plain && (other.includes(plain) || plain.includes(other)));
  const near = part ?? closestMatch(plain, [...others.keys()], { maxDistance: Math.ceil(plain.length / 4) });
  const hint =
    near === undefined ? `known here: ${known.join(', ') || 'none'}` : `did you mean ${others.get(near)}?`;
  return `unknown argument ${name}: ${hint}`;
};

/** Takes these arguments and no others: what was left out of a call would make the tool act on something else. */
export const argumentsOf = <T extends z.core.$ZodLooseShape>(shape: T) =>
  z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => describeUnknown(key, Object.keys(shape))).join(', ')
        : undefined,
  });

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
export const AgeSchema = z.number().int().min(1).max(36_500);
/** What a filter does not narrow when it is false is no filter: it has to be left out. */
export const FlagSchema = z.literal(true);

/** The fields that have a value: the API takes no others. */
export const given = <T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };

/** @example countOf(3_362, 'email') is `3362 emails` */
export const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

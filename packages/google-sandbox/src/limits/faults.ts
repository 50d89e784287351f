import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { Incoming, Outcome } from '../response.ts';
import { FAULT_RESPONSES } from './fault-responses.ts';

/** Longest response that a fault can hold back, in milliseconds. */
const MAX_DELAY_MS = 120_000;

/** Kinds that let the call through, late or not at all; all others have a response of their own. */
const EFFECT_KINDS = ['delay', 'hang', 'reset', 'lose_history_records'] as const;
const RESPONSE_KINDS = Object.keys(FAULT_RESPONSES) as (keyof typeof FAULT_RESPONSES)[];

const isPattern = (text: string): boolean => {
  try {
    return Boolean(new RegExp(text));
  } catch {
    return false;
  }
};

/** An order that the next calls which fit it go wrong. */
export const FaultSchema = z.strictObject({
  kind: z.enum([...RESPONSE_KINDS, ...EFFECT_KINDS]),
  /** A regular expression that the path has to match; calls within a batch have paths of their own. */
  path: z.string().refine(isPattern, 'must be a regular expression').default('^/gmail/'),
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).optional(),
  /** How many calls go wrong. */
  times: z.number().int().min(1).default(1),
  /** How many calls that fit go well before. */
  after: z.number().int().min(0).default(0),
  /** Value of the Retry-After header, where the kind has one. */
  retryAfterSeconds: z.number().int().min(0).optional(),
  /** How long the kind `delay` holds back the true response. */
  delayMs: z.number().int().min(0).max(MAX_DELAY_MS).default(0),
  /** How many of the history records that the call makes the kind `lose_history_records` loses. */
  records: z.number().int().min(1).default(1),
});
export type Fault = z.infer<typeof FaultSchema>;

export interface Faults {
  add(fault: Fault): void;
  clear(): void;
  /** Those that still have calls to spoil. */
  list(): Fault[];
  /** Handles a call by the first matching fault, or lets it through. */
  around(request: Incoming, respond: (effect: FaultEffect) => Promise<Outcome>): Promise<Outcome>;
}

/** What a fault does to a call that it lets through. */
export interface FaultEffect {
  lostHistoryRecords: number;
}
const NO_EFFECT: FaultEffect = { lostHistoryRecords: 0 };

/** Keeps the orders to go wrong, and carries them out. */
export const createFaults = (nowMs: () => number): Faults => {
  let pending: Fault[] = [];

  const take = (call: { method: string; path: string }): Fault | undefined => {
    const fault = pending.find(
      ({ path, method }) =>
        new RegExp(path).test(call.path) && (method === undefined || method === call.method),
    );
    if (fault === undefined) return undefined;
    if (fault.after > 0) {
      fault.after -= 1;
      return undefined;
    }
    fault.times -= 1;
    if (fault.times === 0) pending = pending.filter((other) => other !== fault);
    return fault;
  };

  return {
    add: (fault) => void pending.push({ ...fault }),
    clear: () => {
      pending = [];
    },
    list: () => pending.map((fault) => ({ ...fault })),
    async around(request, respond) {
      const fault = take(request);
      if (fault === undefined) return await respond(NO_EFFECT);
      const { kind } = fault;
      switch (kind) {
        case 'hang':
        case 'reset':
          return kind;
        case 'delay':
          await delay(fault.delayMs);
          return await respond(NO_EFFECT);
        case 'lose_history_records':
          return await respond({ lostHistoryRecords: fault.records });
        default:
          return FAULT_RESPONSES[kind]({ fault, request, nowMs: nowMs() });
      }
    },
  };
};

import type { Incoming, Outcome } from './response.ts';

/** Entries stored; the oldest are deleted first. */
const KEPT_ENTRIES = 5_000;

/** What is remembered of a call: never a body, a header or a search word. */
export interface LoggedRequest {
  at: string;
  method: string;
  path: string;
  /** Names of the query's parameters. */
  parameters: string[];
  /** HTTP status, or that there was no response. */
  status: number | 'hang' | 'reset';
  /** Quota units charged. */
  units: number;
  /** Whether the call came as part of a batch. */
  isInBatch: boolean;
}

export interface RequestLog {
  add(request: Incoming, outcome: Outcome, charge: { units: number; isInBatch: boolean }): void;
  list(): LoggedRequest[];
  clear(): void;
}

/** Remembers the last calls, so that a test can see what was asked of the provider, and what it cost. */
export const createRequestLog = (nowMs: () => number): RequestLog => {
  let entries: LoggedRequest[] = [];
  return {
    add({ method, path, query }, outcome, { units, isInBatch }) {
      entries.push({
        at: new Date(nowMs()).toISOString(),
        method,
        path,
        parameters: [...new Set(query.keys())],
        status: typeof outcome === 'string' ? outcome : outcome.status,
        units,
        isInBatch,
      });
      if (entries.length > KEPT_ENTRIES) entries.shift();
    },
    list: () => entries,
    clear: () => {
      entries = [];
    },
  };
};

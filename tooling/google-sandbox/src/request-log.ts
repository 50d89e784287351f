import type { Incoming, Outcome } from './response.ts';

/** Entries stored; the oldest are deleted first. */
const KEPT_ENTRIES = 5_000;

/** What is remembered of a call: never a body, a header or a search word. */
export interface LoggedRequest {
  at: string;
  method: string;
  path: string;
  /** Mail address of the user whose token it carried; null without one. */
  user: string | null;
  /** Names of the query's parameters. */
  parameters: string[];
  status: number | 'hang' | 'reset';
  units: number;
  isInBatch: boolean;
}

/** Remembers the last calls, so that a test can see what was asked of the provider, and what it cost. */
export const createRequestLog = ({
  nowMs,
  userOf,
}: {
  nowMs: () => number;
  userOf: (request: Incoming) => string | undefined;
}) => {
  let entries: LoggedRequest[] = [];
  return {
    add(
      request: Incoming,
      outcome: Outcome,
      { units, isInBatch }: { units: number; isInBatch: boolean },
    ): void {
      const { method, path, query } = request;
      entries.push({
        at: new Date(nowMs()).toISOString(),
        method,
        path,
        user: userOf(request) ?? null,
        parameters: [...new Set(query.keys())],
        status: typeof outcome === 'string' ? outcome : outcome.status,
        units,
        isInBatch,
      });
      if (entries.length > KEPT_ENTRIES) entries.shift();
    },
    list: (user?: string): LoggedRequest[] =>
      entries.filter((entry) => user === undefined || entry.user === user),
    clear: (user?: string): void => {
      entries = user === undefined ? [] : entries.filter((entry) => entry.user !== user);
    },
  };
};
export type RequestLog = ReturnType<typeof createRequestLog>;

import type { Clause } from './clauses.ts';
import type { Exchange } from './service.ts';

/** What a check found; only an error means that the service does not conform. */
export interface Finding {
  clause: Clause;
  severity: 'error' | 'warning' | 'info';
  /** What is wrong, in a sentence. */
  what: string;
  /** What to change. */
  change: string;
  exchange: Exchange;
}

/** One check of a clause. */
export interface Check {
  clause: Clause;
  name: string;
  run(): Promise<Finding[]>;
}

/** What came back, for a sentence. */
export const describeResponse = ({ response, failure }: Exchange): string =>
  response === undefined ? `no response (${failure})` : `${response.status}`;

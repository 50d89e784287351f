import clauses from './clauses.json' with { type: 'json' };
import type { Exchange } from './service.ts';

/** What a check found; only an error means that the service does not conform. */
export interface Finding {
  clause: Clause;
  severity: 'error' | 'warning' | 'info';
  /** What is wrong, in a sentence; the same for all emails that have the fault. */
  what: string;
  /** The ids of the emails that it is about; empty where it is about the whole request. */
  emails: readonly string[];
  change: string;
  exchange: Exchange;
}

export interface Check {
  clause: Clause;
  name: string;
  run(): Promise<Finding[]>;
}

export const describeResponse = ({ response, failure }: Exchange): string =>
  response === undefined ? `no response (${failure})` : `${response.status}`;

/** The clauses of the contract, each a heading of `docs/ML-CONTRACT.md`, which says more. */
export const CLAUSES = clauses;

export type Clause = keyof typeof CLAUSES;

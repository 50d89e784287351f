import type { BehaviourChange } from '@mailsweep/google-sandbox';
import type { Mailbox } from '@mailsweep/mailbox';
import type { GmailClient } from './gmail-client.ts';
import type { Workspace } from './workspace.ts';

/** One thing that was looked at, in words without personal data. */
export interface Finding {
  /** Names the check, such as `modify-response`. */
  id: string;
  title: string;
  /** What the product, or its sandbox, counts on. */
  expected: string;
  observed: string;
  /** `unknown`: it could not be seen, or nobody answered. `failed`: the check itself did not work. */
  verdict: 'same' | 'different' | 'unknown' | 'failed';
}

/** What a check came to. */
export interface CheckResult {
  findings: Finding[];
  /** Settings of the sandbox that reproduce what was observed. */
  behaviour?: BehaviourChange;
}

/** What checks need. */
export interface CheckContext {
  gmail: GmailClient;
  /** The product's own mailbox, without a cache. */
  mailbox: Mailbox;
  workspace: Workspace;
  /** When the history is read after a change, in milliseconds after the response. */
  historyReadsMs: readonly number[];
  /** Waits, unless the run is to end. */
  pause(ms: number): Promise<void>;
  /** Asks the owner of the mailbox; undefined when the owner is absent, or does not know. */
  ask(question: string): Promise<boolean | undefined>;
}

export interface Check {
  title: string;
  /** About how many quota units it uses. */
  units(messages: number): number;
  run(context: CheckContext): Promise<CheckResult>;
}

/** A finding that compares what was observed with what was expected, word by word. */
export const compare = (finding: Omit<Finding, 'verdict'>): Finding => ({
  ...finding,
  verdict: finding.expected === finding.observed ? 'same' : 'different',
});

import type { BehaviourChange } from '@mailsweep/google-sandbox';
import type { Mailbox } from '@mailsweep/mail/mailbox';
import texts from './expectations.json' with { type: 'json' };
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

export interface CheckResult {
  findings: Finding[];
  /** Settings of the sandbox that reproduce what was observed. */
  behaviour?: BehaviourChange;
}

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
  run(context: CheckContext): Promise<CheckResult>;
}

/** A finding that compares what was observed with what was expected, word by word. */
export const compareWith = (finding: Omit<Finding, 'verdict'>): Finding => ({
  ...finding,
  verdict: finding.expected === finding.observed ? 'same' : 'different',
});

/**
 * The same for something whose expectation is fixed.
 *
 * @param verdict - where the words need not be the same
 */
export const compare = (
  id: keyof typeof texts.expectations,
  observed: string,
  verdict?: Finding['verdict'],
): Finding => {
  const finding = compareWith({ id, ...texts.expectations[id], observed });
  return verdict ? { ...finding, verdict } : finding;
};

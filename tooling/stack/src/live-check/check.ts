import type { BehaviourChange } from '@mailsweep/google-sandbox';
import type { Mailbox } from '@mailsweep/mail/mailbox';
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
  run(context: CheckContext): Promise<CheckResult>;
}

/** What the product, or its sandbox, counts on: by the id of a finding, what is looked at and what is expected. */
const EXPECTATIONS = {
  'api-enabled': ['The Gmail API takes calls', '200'],
  'quota-refusals': ['Refusals for quota during the run', 'none'],
  'callback-parameters': [
    'Parameters of the redirect back from Google',
    'authuser, code, iss, prompt, scope, state',
  ],
  'refresh-token': ['A refresh token comes with consent', 'yes'],
  'batch-unknown-id': ['batchModify with an id of no message', '204, the other message is changed'],
  'batch-malformed-id': [
    'batchModify with an id that can be none',
    '400 invalidArgument, the other message is unchanged',
  ],
  'batch-draft': [
    'batchModify with a draft',
    '400 invalidArgument, the other message is unchanged, and so is the draft',
  ],
  'insert-response': ['Fields of the response to messages.insert', 'id, labelIds, threadId'],
  'full-page-token': ['A page with exactly all messages: is there a page token?', 'yes'],
  'page-token': ['Form of a page token', '20 digits'],
  'primary-by-exclusion': [
    'Categories found by excluding all others, as the product asks for Primary',
    'CATEGORY_PERSONAL, none',
  ],
  'category-primary': ['Categories found by category:primary', 'CATEGORY_PERSONAL'],
  'delete-outcome': [
    'Deleting an archived message: the change that is noted for undo',
    'added TRASH, removed nothing',
  ],
  'undo-delete': ['Undoing that: the message is where it was, outside the inbox', 'yes'],
  'undo-archive': ['Undoing the rest: all labels are as before', 'yes'],
  'modify-response': ['Fields of the response to messages.modify', 'id, labelIds, threadId'],
  'history-order': ['Order of the messages of one batchModify in the history', 'reversed'],
  'trash-records': ['Records of adding TRASH and removing INBOX', 'TRASH, then INBOX'],
  untrash: ['Whether INBOX comes back when TRASH is removed', 'no'],
  'label-deletion-history': ['Whether deleting a label leaves records in the history', 'no'],
  'deleted-label': ['Taking a deleted label off a message', '400 invalidArgument'],
  'deleted-label-undo': ['The same with the product’s own code, as undo does', 'ok'],
  'label-conflict': ['Creating a label whose name differs in case and separators alone', '409 aborted'],
} as const;

/** A finding that compares what was observed with what was expected, word by word. */
export const compareWith = (finding: Omit<Finding, 'verdict'>): Finding => ({
  ...finding,
  verdict: finding.expected === finding.observed ? 'same' : 'different',
});

/** The same for one of the {@link EXPECTATIONS}. */
export const compare = (id: keyof typeof EXPECTATIONS, observed: string): Finding => {
  const [title, expected] = EXPECTATIONS[id];
  return compareWith({ id, title, expected, observed });
};

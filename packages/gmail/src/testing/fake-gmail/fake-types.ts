import type { IncomingMessage } from 'node:http';

/** A message as Gmail's REST API shows it; only what a test cares about. */
export interface FakeMessage {
  id: string;
  labelIds: string[];
  [field: string]: unknown;
}

export interface FakeLabel {
  id: string;
  name: string;
  type: string;
}

export interface RecordedRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: unknown;
  /** Whether the call came within a batch. */
  isInBatch: boolean;
}

export type FakeResponse =
  | { status?: number; headers?: Record<string, string>; body?: unknown }
  /** Never responds. */
  | 'hang'
  /** Sends the head and a part of the body, then nothing. */
  | 'hang_after_head'
  /** Breaks the connection. */
  | 'reset'
  /** Sends the head and a part of the body, then breaks the connection. */
  | 'reset_after_head'
  /** Leaves a call out of the response to its batch. */
  | 'left_out';

/**
 * What the fake does as the real Gmail, by the names of the Google sandbox (packages/google-sandbox/README.md,
 * with sources in packages/google-sandbox/src/behaviour.ts).
 */
export interface FakeGmailBehaviour {
  /** The response to a change has `id`, `threadId` and `labelIds` alone. */
  shortChangeResponses: boolean;
  /** A full page has a token even when nothing follows. */
  tokenAfterFullPage: boolean;
  /** Page tokens are 20 digits that tell nothing. */
  opaquePageTokens: boolean;
  /** How long a record of history stays invisible, in milliseconds. */
  historyDelayMs: number;
  /** Whether the mailbox's history id already counts changes whose records are invisible still. */
  historyIdLeadsRecords: boolean;
  /** Labels that come and those that go leave a record each, with a change of IMPORTANT in between. */
  splitRecords: boolean;
  /** Drafts take no label changes; they fail a batch as a whole. */
  refuseDrafts: boolean;
}

/** `false` stands where the product does not cope yet; it is changed together with what makes it cope. */
export const fakeGmailDefaults: FakeGmailBehaviour = {
  shortChangeResponses: true,
  tokenAfterFullPage: true,
  opaquePageTokens: true,
  historyDelayMs: 0,
  historyIdLeadsRecords: false,
  splitRecords: false,
  refuseDrafts: true,
};

/** A refusal in Google's form. */
export const refusal = (status: number, reason: string, message = 'refused'): FakeResponse => ({
  status,
  body: { error: { code: status, message, errors: [{ domain: 'global', reason, message }] } },
});

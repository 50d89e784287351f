import type { MailboxFault } from '@mailsweep/contracts';
import { MailboxError } from '@mailsweep/mail/mailbox';
import { type HttpExchangeError, type HttpResponse, parseJson } from '@mailsweep/service-kit/http-client';
import { parseRetryAfterMs } from '@mailsweep/service-kit/resilience';
import { RequestErrorSchema } from './jmap-schemas.ts';

export interface Failure {
  error: MailboxError;
  /** `end_call`: nothing helps, and no other request of this call can succeed. */
  remedy: 'none' | 'renew_token' | 'retry' | 'end_call';
  /** Whether the server has certainly done nothing, so that a change may be sent again. */
  isUndone: boolean;
  /** Whether the session resource may be out of date. */
  isStale?: boolean;
}

/** A method call that the server refused or could not carry out. */
export class JmapMethodError extends MailboxError {
  /** As RFC 8620 or 8621 name it: `stateMismatch`. */
  readonly type: string;
  readonly method: string;
  /** Whether the server says that another attempt may succeed. */
  readonly isTransient: boolean;

  constructor(type: string, method: string, host: string) {
    super(METHOD_FAULTS.get(type) ?? 'failed', `${host} responded to ${method} with ${toWord(type)}`);
    this.type = type;
    this.method = method;
    this.isTransient = TRANSIENT.has(type);
  }
}

/** Types are words of the protocol, or URNs of it; anything else is not for the log, nor for users. */
const toWord = (type: string): string => (/^[A-Za-z][\w:-]{0,59}$/.test(type) ? type : 'an error');
/** The type of a method call whose response cannot be read, or is missing: what it did is not known. */
export const UNREADABLE = 'unreadableResponse';

/** What errors of a method call mean (RFC 8620, 3.6.2); of all others another attempt is no use. */
const METHOD_FAULTS: ReadonlyMap<string, MailboxFault> = new Map([
  ['serverUnavailable', 'mailbox_unavailable'],
  ['serverFail', 'mailbox_unavailable'],
  ['serverPartialFail', 'mailbox_unavailable'],
  ['rateLimit', 'rate_limited'],
  [UNREADABLE, 'mailbox_unavailable'],
  ['accountNotFound', 'mailbox_unavailable'],
  ['accountNotSupportedByMethod', 'mailbox_unavailable'],
  ['accountReadOnly', 'forbidden'],
  ['forbidden', 'forbidden'],
  ['stateMismatch', 'mailbox_unavailable'],
]);
const TRANSIENT: ReadonlySet<string> = new Set(['serverUnavailable', 'serverFail', 'rateLimit']);
/** Errors that a session resource of another account, or with other limits, explains. */
export const STALE_ERRORS: ReadonlySet<string> = new Set([
  'accountNotFound',
  'accountNotSupportedByMethod',
  'requestTooLarge',
]);

/** What errors of one record mean (RFC 8620, 5.3; RFC 8621, 4.6). */
const SET_FAULTS: ReadonlyMap<string, MailboxFault> = new Map([
  ['notFound', 'not_found'],
  ['forbidden', 'forbidden'],
  ['overQuota', 'forbidden'],
  ['tooManyMailboxes', 'too_many_mailboxes'],
  ['rateLimit', 'rate_limited'],
  ['serverFail', 'mailbox_unavailable'],
]);

/** Errors of an email that a second attempt would get again. */
export const LASTING_ERRORS: ReadonlySet<string> = new Set([
  'overQuota',
  'tooLarge',
  'tooManyKeywords',
  'tooManyMailboxes',
]);

const toSetError = (type: string, code: MailboxFault): MailboxError =>
  new MailboxError(code, `The mail server refused a change: ${toWord(type)}`);

/** The error of one record that was not changed. */
export const toRecordError = ({ type }: { type: string }): MailboxError =>
  toSetError(type, SET_FAULTS.get(type) ?? 'failed');

/** The error of one email. What is forbidden with it may be allowed with others, for which work goes on. */
export const toEmailError = ({ type }: { type: string }): MailboxError =>
  type === 'forbidden' ? toSetError(type, 'failed') : toRecordError({ type });

const REQUEST_LIMIT = 'urn:ietf:params:jmap:error:limit';
/** Limits within which each request is kept: if one is exceeded, the session is out of date. */
const SPLITTING: ReadonlySet<string> = new Set(['maxSizeRequest', 'maxCallsInRequest']);

type Meaning = Omit<Failure, 'error'> & { code: MailboxFault };

const classify = ({ status, text }: HttpResponse): Meaning => {
  if (status === 401) return { code: 'reauth_required', remedy: 'renew_token', isUndone: true };
  if (status === 403) return { code: 'forbidden', remedy: 'end_call', isUndone: true };
  if (status === 429) return { code: 'rate_limited', remedy: 'retry', isUndone: true };
  if (status === 503) return { code: 'mailbox_unavailable', remedy: 'retry', isUndone: true };
  if (status >= 500) return { code: 'mailbox_unavailable', remedy: 'retry', isUndone: false };
  // The address of the API has changed.
  if (status === 404 || status < 400) {
    return { code: 'mailbox_unavailable', remedy: 'retry', isUndone: true, isStale: true };
  }
  const { type, limit } = RequestErrorSchema.safeParse(parseJson(text)).data ?? {};
  if (status === 413 || (type === REQUEST_LIMIT && SPLITTING.has(limit ?? ''))) {
    return { code: 'mailbox_unavailable', remedy: 'none', isUndone: true, isStale: true };
  }
  // Which limit it is, a server should say, but need not be sure to.
  if (type === REQUEST_LIMIT) return { code: 'rate_limited', remedy: 'retry', isUndone: true };
  return { code: 'failed', remedy: 'none', isUndone: true };
};

/**
 * Says what a response outside 2xx means.
 *
 * @param responded - begins the message: which server responded to what
 * @param nowMs - the present, against which a Retry-After date is read
 */
export const toResponseFailure = (response: HttpResponse, responded: string, nowMs: number): Failure => {
  const { code, ...meaning } = classify(response);
  const retryAfterMs = parseRetryAfterMs(response.retryAfter, nowMs);
  const { type } = RequestErrorSchema.safeParse(parseJson(response.text)).data ?? {};
  const named = type === undefined ? '' : ` (${toWord(type)})`;
  const message = `${responded} with ${response.status}${named}`;
  return {
    ...meaning,
    error: new MailboxError(code, message, retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
};

/** Codes of system errors of a connection that never came about. */
const NOT_CONNECTED: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']);

/** What it means that there is no response. */
export const toExchangeFailure = ({ code, message }: HttpExchangeError): Failure => ({
  error: new MailboxError('mailbox_unavailable', message),
  remedy: 'retry',
  isUndone: NOT_CONNECTED.has(code),
});

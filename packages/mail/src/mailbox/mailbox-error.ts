import type { MailboxFault } from '@mailsweep/contracts';

/**
 * Why a mailbox could not do what was asked; `code` is also the `reason` shown for one email. `failed` without a cause: the
 * provider has refused it, and users are shown the message, which is made of words of its protocol alone.
 */
export class MailboxError extends Error {
  override readonly name = 'MailboxError';
  readonly code: MailboxFault;
  /** How long the provider asks us to wait, in milliseconds; only when that is more than was waited here. */
  readonly retryAfterMs: number | undefined;

  constructor(code: MailboxFault, message: string, options: { cause?: unknown; retryAfterMs?: number } = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** Errors that waiting does not resolve: the user or an administrator has to act. */
export const FINAL_FAULTS = [
  'missing_scope',
  'mail_service_disabled',
  'no_inbox',
  'domain_policy',
  'forbidden',
] as const;

/** Errors of the whole mailbox that retries do not resolve: the user, an administrator or the operator has to act. */
export const ACCESS_ERRORS: ReadonlySet<MailboxFault> = new Set([
  'missing_scope',
  'mail_service_disabled',
  'no_inbox',
  'domain_policy',
  'gmail_api_disabled',
  'daily_limit_exceeded',
]);

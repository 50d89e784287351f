import { MailboxError } from './mailbox-error.ts';

/** The access token of the user whose mailbox it is. Reading and renewing reject with {@link MailboxError}. */
export interface AccessTokenSource {
  /** A token that has not expired, as far as is known. */
  current(): Promise<string>;
  /** A fresh token, after the provider refused `refused`. */
  renew(refused: string): Promise<string>;
  /** Is called when the grant behind a token lacks the scope for the mailbox; never rejects. */
  reportMissingScope?(token: string): Promise<void>;
}

const toMailboxError = (error: unknown): MailboxError =>
  error instanceof MailboxError
    ? error
    : new MailboxError('failed', 'No access token could be had', { cause: error });

/**
 * Access tokens for one call of a mailbox: requests that need one at the same time share the asking, and a refused
 * token is renewed once.
 */
export const createCallTokens = (source: AccessTokenSource): Pick<AccessTokenSource, 'current' | 'renew'> => {
  let reading: Promise<string> | undefined;
  const renewals = new Map<string, Promise<string>>();
  const read = async (ask: () => Promise<string>): Promise<string> => {
    try {
      return await ask();
    } catch (error) {
      throw toMailboxError(error);
    }
  };
  return {
    current() {
      reading ??= read(() => source.current()).finally(() => {
        reading = undefined;
      });
      return reading;
    },
    renew(refused) {
      const renewal = renewals.get(refused) ?? read(() => source.renew(refused));
      renewals.set(refused, renewal);
      return renewal;
    },
  };
};

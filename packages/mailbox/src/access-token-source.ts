/** The access token of the user whose mailbox it is. Reading and renewing reject with {@link MailboxError}. */
export interface AccessTokenSource {
  /** A token that has not expired, as far as is known. */
  current(): Promise<string>;
  /** A fresh token, after the provider refused `refused`. */
  renew(refused: string): Promise<string>;
  /** Is called when the grant behind a token lacks the scope for the mailbox; never rejects. */
  reportMissingScope?(token: string): Promise<void>;
}

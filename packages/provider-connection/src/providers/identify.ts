import { readOwnAccount } from '@mailsweep/jmap';
import { MailboxError } from '@mailsweep/mailbox';
import { OidcError } from '../oidc-error.ts';
import type { ProviderIdentity } from '../oidc-provider.ts';
import type { Provider } from './providers.ts';

/** What errors of a JMAP session mean to somebody who signs in. */
const SIGN_IN_CODES: Partial<Record<MailboxError['code'], OidcError['code']>> = {
  reauth_required: 'invalid_grant',
  forbidden: 'missing_scope',
  mail_service_disabled: 'mail_service_disabled',
  provider_configuration: 'provider_configuration',
  rate_limited: 'provider_unavailable',
  mailbox_unavailable: 'provider_unavailable',
};

const toSignInError = (error: unknown): unknown =>
  error instanceof MailboxError
    ? new OidcError(SIGN_IN_CODES[error.code] ?? 'provider_error', error.message, { cause: error })
    : error;

/**
 * Finds out who signed in with an access token, and which account has their mailbox. At a JMAP server that is what its
 * session says, however the token was obtained.
 *
 * @param claimed - what the ID token says, if there is one
 * @returns `subject` is unique over all providers: that of a JMAP account begins with the provider's key
 * @throws {OidcError} `invalid_grant` when the provider does not accept the token, `missing_scope` when it may not change
 *   the mailbox, `mail_service_disabled` when its user has no mailbox of their own, others when the session can't be read
 */
export const identify = async (
  provider: Provider,
  accessToken: string,
  claimed?: ProviderIdentity,
): Promise<{ identity: ProviderIdentity; accountId: string | null }> => {
  if (provider.kind === 'gmail') {
    if (claimed === undefined) throw new OidcError('provider_error', 'the provider sent no ID token');
    return { identity: claimed, accountId: null };
  }
  const { accountId, username } = await readOwnAccount(provider.sessionUrl, accessToken).catch(
    (error: unknown) => {
      throw toSignInError(error);
    },
  );
  const isAddress = username.includes('@');
  const identity = {
    subject: `jmap:${provider.key}:${accountId}`,
    email: isAddress ? username : claimed?.email || username,
    name: claimed?.name ?? null,
  };
  return { identity, accountId };
};

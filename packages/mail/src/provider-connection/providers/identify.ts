import { readOwnAccount } from '@mailsweep/mail/jmap';
import { MailboxError } from '@mailsweep/mail/mailbox';
import { toPlainName } from '@mailsweep/service-kit';
import type { Clock } from '@mailsweep/service-kit/resilience';
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

/** The longest address (RFC 3696, erratum 1690). Unit: characters. */
const MAX_NAME_LENGTH = 320;

const toSignInError = (error: unknown): unknown =>
  error instanceof MailboxError
    ? new OidcError(SIGN_IN_CODES[error.code] ?? 'provider_error', error.message, { cause: error })
    : error;

/**
 * Finds out who signed in with an access token, and which account has their mailbox. At a JMAP server that is what its
 * session says, however the token was obtained.
 *
 * @param claimed - what the ID token says, if there is one
 * @returns `isReadOnly`: the account itself allows no change. `subject` is unique over all providers: that of a JMAP account begins with the provider's key
 * @throws {OidcError} `invalid_grant` when the provider does not accept the token, `missing_scope` when it refuses it the
 *   session, `mail_service_disabled` when its user has no mailbox of their own, others when the session can't be read
 */
export const identify = async (
  provider: Provider,
  accessToken: string,
  claimed?: ProviderIdentity,
  clock?: Clock,
): Promise<{ identity: ProviderIdentity; accountId: string | null; isReadOnly: boolean }> => {
  if (provider.kind === 'gmail') {
    if (claimed === undefined) throw new OidcError('provider_error', 'the provider sent no ID token');
    return { identity: claimed, accountId: null, isReadOnly: false };
  }
  const { accountId, username, isReadOnly } = await readOwnAccount(
    provider.sessionUrl,
    accessToken,
    clock,
  ).catch((error: unknown) => {
    throw toSignInError(error);
  });
  // What the server calls its user is shown, stored and sent with each `/me`.
  const known = toPlainName(username, MAX_NAME_LENGTH);
  const isAddress = known.includes('@');
  const identity = {
    subject: `jmap:${provider.key}:${accountId}`,
    email: isAddress ? known : claimed?.email || known,
    name: claimed?.name ?? null,
  };
  return { identity, accountId, isReadOnly };
};

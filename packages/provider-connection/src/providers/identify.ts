import { OidcError } from '../oidc-error.ts';
import type { ProviderIdentity } from '../oidc-provider.ts';
import { readJmapAccount } from './jmap-account.ts';
import type { Provider } from './providers.ts';

/**
 * Finds out who signed in with an access token, and which account has their mailbox. At a JMAP server that is what its
 * session says, however the token was obtained.
 *
 * @param claimed - what the ID token says, if there is one
 * @returns `subject` is unique over all providers: that of a JMAP account begins with the provider's key
 * @throws {OidcError} when the provider can't be reached, or gives no mailbox with this token
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
  const { accountId, username } = await readJmapAccount(provider.sessionUrl, accessToken);
  const isAddress = username.includes('@');
  const identity = {
    subject: `jmap:${provider.key}:${accountId}`,
    email: isAddress ? username : claimed?.email || username,
    name: claimed?.name ?? null,
  };
  return { identity, accountId };
};

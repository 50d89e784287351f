import type { Database } from '@mailsweep/database';
import type { TokenCipher } from './encryption/token-cipher.ts';
import { OidcError } from './oidc-error.ts';
import { findProviderConnection } from './provider-connection.repository.ts';
import type { Providers } from './providers/providers.ts';

/**
 * Gives a user's grant back to the provider, which ends our access to the mailbox. Does nothing where there is
 * no connection, nor for a token that the user made: only they can end it.
 *
 * @throws {OidcError} when the provider can't be reached, refuses or is no longer configured
 * @throws {TokenCipherError} when the stored tokens can't be read
 */
export const createRevokeGrant =
  (dependencies: { database: Database; tokenCipher: TokenCipher; providers: Providers }) =>
  async (userId: string): Promise<void> => {
    const { database, tokenCipher, providers } = dependencies;
    const connection = await findProviderConnection(database, tokenCipher, userId);
    // Revoking the refresh token ends the whole grant; a dead one is already revoked.
    if (connection === null || connection.isDead) return;
    const provider = providers.get(connection.provider);
    if (provider === undefined)
      throw new OidcError('provider_configuration', `the provider ${connection.provider} is not configured`);
    await provider.oauth?.revoke(connection.refreshToken ?? connection.accessToken);
  };

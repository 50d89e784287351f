import type { Database } from '@mailsweep/database';
import type { TokenCipher } from './encryption/token-cipher.ts';
import type { OidcProvider } from './oidc-provider.ts';
import { findProviderConnection } from './provider-connection.repository.ts';

/**
 * Gives a user's grant back to the provider, which ends our access to the mailbox. Does nothing where there is
 * no connection.
 *
 * @throws {OidcError} when the provider can't be reached or refuses
 * @throws {TokenCipherError} when the stored tokens can't be read
 */
export const createRevokeGrant =
  (dependencies: { database: Database; tokenCipher: TokenCipher; oidcProvider: OidcProvider }) =>
  async (userId: string): Promise<void> => {
    const { database, tokenCipher, oidcProvider } = dependencies;
    const connection = await findProviderConnection(database, tokenCipher, userId);
    // Revoking the refresh token ends the whole grant; a dead one is already revoked.
    if (connection === null || connection.isDead) return;
    await oidcProvider.revoke(connection.refreshToken ?? connection.accessToken);
  };

import type { Database } from '@mailsweep/database';
import { type AccessTokenSource, MailboxError } from '@mailsweep/mailbox';
import type { Logger } from '@mailsweep/service-kit';
import { OidcError, type OidcProvider } from './oidc-provider.ts';
import {
  findProviderConnection,
  lockProviderConnection,
  markReauthRequired,
  type ProviderConnection,
  saveProviderTokens,
} from './provider-connection.repository.ts';
import type { TokenCipher } from './token-cipher.ts';

/** A token this close to its end is renewed at once, in milliseconds. */
const EXPIRY_MARGIN_MS = 60_000;
/** Longest refresh, with its retries, in milliseconds; the row is locked as long. */
const REFRESH_TIMEOUT_MS = 14_000;

/**
 * Access tokens for people's mailboxes. However many requests need a new one at the same time, on however
 * many replicas, the provider is asked once: here by sharing the promise, elsewhere by the row's lock.
 */
export const createAccessTokens = (dependencies: {
  database: Database;
  tokenCipher: TokenCipher;
  oidcProvider: OidcProvider;
  logger: Logger;
}) => {
  const { database, tokenCipher, oidcProvider, logger } = dependencies;
  const renewals = new Map<string, Promise<string>>();

  /** @param isUseless - whether the token in the row can't be used, so that it has to be renewed */
  const renewOnce = (
    userId: string,
    isUseless: (connection: ProviderConnection) => boolean,
  ): Promise<string> => {
    const running = renewals.get(userId);
    if (running !== undefined) return running;
    const renewal = renewLocked(userId, isUseless).finally(() => renewals.delete(userId));
    renewals.set(userId, renewal);
    return renewal;
  };

  const renewLocked = async (
    userId: string,
    isUseless: (connection: ProviderConnection) => boolean,
  ): Promise<string> => {
    try {
      return await database.$transaction(
        async (tx) => {
          const connection = requireLive(await lockProviderConnection(tx, tokenCipher, userId));
          if (!isUseless(connection)) return connection.accessToken;
          if (connection.refreshToken === null)
            throw new OidcError('invalid_grant', 'there is no refresh token');
          const tokens = await oidcProvider.refresh(connection.refreshToken);
          await saveProviderTokens(tx, tokenCipher, userId, tokens);
          return tokens.accessToken;
        },
        { timeout: REFRESH_TIMEOUT_MS },
      );
    } catch (error) {
      if (!(error instanceof OidcError)) throw error;
      if (error.code !== 'invalid_grant') {
        throw new MailboxError('mailbox_unavailable', 'the access token could not be renewed', {
          cause: error,
        });
      }
      await markReauthRequired(database, userId);
      logger.warn({ userId }, 'the provider refused the refresh token: the person has to sign in again');
      throw reauthRequired(error);
    }
  };

  return {
    /** The access tokens of one person; the source remembers the token for as long as it is good. */
    sourceFor(userId: string): AccessTokenSource {
      let known: Pick<ProviderConnection, 'accessToken' | 'accessTokenExpiresAt'> | null = null;
      return {
        async current() {
          if (known !== null && !isExpired(known)) return known.accessToken;
          const connection = requireLive(await findProviderConnection(database, tokenCipher, userId));
          if (isExpired(connection)) return renewOnce(userId, isExpired);
          known = connection;
          return connection.accessToken;
        },
        renew(refused) {
          known = null;
          return renewOnce(
            userId,
            (connection) => connection.accessToken === refused || isExpired(connection),
          );
        },
      };
    },
  };
};

const isExpired = ({ accessTokenExpiresAt }: Pick<ProviderConnection, 'accessTokenExpiresAt'>): boolean =>
  accessTokenExpiresAt.getTime() - EXPIRY_MARGIN_MS < Date.now();

const reauthRequired = (cause?: unknown) =>
  new MailboxError('reauth_required', 'the mailbox connection has ended', { cause });

const requireLive = (connection: ProviderConnection | null): ProviderConnection => {
  if (connection === null || connection.isDead) throw reauthRequired();
  return connection;
};

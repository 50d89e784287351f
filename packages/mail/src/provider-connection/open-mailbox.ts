import type { Database } from '@mailsweep/database';
import { createGmailMailbox, type GmailMailboxOptions } from '@mailsweep/mail/gmail';
import {
  createJmapConnections,
  createJmapMailbox,
  type ListeningEnd,
  listenToAccount,
  type ServerFacts,
} from '@mailsweep/mail/jmap';
import { type Mailbox, MailboxError } from '@mailsweep/mail/mailbox';
import { createMessageStores, createStateStores } from '@mailsweep/mail/message-cache';
import { createRequestSlots, openQuotaGovernor } from '@mailsweep/mail/quota';
import { type AccountTokens, createAccessTokens } from './access-tokens.ts';
import { deriveMessageKeys } from './encryption/encryption-keys.ts';
import { createTokenCipher } from './encryption/token-cipher.ts';
import { createProviders, GMAIL, type Providers } from './providers/providers.ts';
import { createRevokeGrant } from './revoke-grant.ts';
import type { MailboxAccessConfig } from './variables.ts';

/** What differs from one process to another. */
export type OpenMailboxOptions = Pick<
  GmailMailboxOptions,
  'governor' | 'inboxCounts' | 'priority' | 'signal' | 'onRebuild'
>;

/** Where the mailbox of a user is at a JMAP server. */
export interface JmapAccount {
  server: { sessionUrl: string; accountId: string };
  authservId: string | undefined;
  facts: ServerFacts;
}

/** Opens the mailbox of an account at a JMAP server; it opens nothing that needs closing. */
export type OpenJmapMailbox = (
  account: JmapAccount & { userId: string; accessTokens: AccountTokens },
  options: OpenMailboxOptions,
) => Mailbox;

type Call = (...parameters: unknown[]) => Promise<unknown>;

/**
 * A user's mailbox at whichever provider has it. That is in the database, so the first call finds it out, with the read
 * that its access token needs anyway.
 *
 * @param gmail - the mailbox, were it at Gmail
 * @param openJmap - opens the mailbox at a JMAP server
 */
const createRoutedMailbox = (options: {
  gmail: Mailbox;
  openJmap: (account: JmapAccount) => Mailbox;
  accessTokens: AccountTokens;
  providers: Providers;
}): Mailbox => {
  const { gmail, openJmap, accessTokens, providers } = options;
  let jmap: Mailbox | undefined;

  const find = async (): Promise<Mailbox> => {
    const { provider: key, accountId } = await accessTokens.findAccount().catch((cause: unknown) => {
      if (cause instanceof MailboxError) throw cause;
      throw new MailboxError('mailbox_unavailable', 'where the mailbox is could not be read', { cause });
    });
    const provider = providers.get(key);
    if (provider?.kind !== 'jmap') return gmail;
    if (accountId === null) throw new MailboxError('reauth_required', 'the account is not known');
    const { sessionUrl, authservId, name, trashDays, emailUrl } = provider;
    jmap ??= openJmap({
      server: { sessionUrl, accountId },
      authservId,
      facts: { name, trashDays, emailUrl },
    });
    return jmap;
  };

  const calls = (Object.keys(gmail) as (keyof Mailbox)[]).map((name) => {
    const call: Call = async (...parameters) => ((await find())[name] as Call)(...parameters);
    return [name, call];
  });
  return Object.fromEntries(calls) as Mailbox;
};

/** For processes that only refresh tokens: no browser returns to them. */
const NO_REDIRECT = 'http://localhost/auth/idp/callback';

/** A survey takes more of the quota: for a minute or two its user waits for it (docs/decisions/023). */
const SURVEY_SHARE = { interactiveReserve: 0.05, shareBesideUser: 1 };

type GovernorOptions = Parameters<typeof openQuotaGovernor>[0];

/**
 * Puts together what a process needs to open mailboxes: token cipher, providers, access tokens, message cache and
 * the governors of the process. It opens nothing that needs closing.
 *
 * @param options.redirectUri - where browsers return after a sign-in; a process without sign-ins needs none
 * @param options.redis - see {@link openQuotaGovernor}
 * @param options.batchReads - whether messages are read through Gmail's batch endpoint; they are unless told otherwise
 * @param options.openJmapMailbox - opens mailboxes at JMAP servers, with the cache by default
 */
export const createMailboxAccess = (options: {
  config: MailboxAccessConfig;
  redirectUri?: string;
  database: Database;
  redis: GovernorOptions['redis'];
  logger: GovernorOptions['logger'];
  observeQuota: NonNullable<GovernorOptions['observe']>;
  batchReads?: boolean | undefined;
  openJmapMailbox?: OpenJmapMailbox;
}) => {
  const { config, redirectUri = NO_REDIRECT, database, redis, logger, observeQuota, batchReads } = options;
  const keys = { current: config.TOKEN_ENCRYPTION_KEY, previous: config.TOKEN_ENCRYPTION_KEY_PREVIOUS };
  const tokenCipher = createTokenCipher(keys);
  const providers = createProviders(config, redirectUri);
  const accessTokens = createAccessTokens({ database, tokenCipher, providers, logger });
  const messageKeys = deriveMessageKeys(keys);
  const openMessageStore = createMessageStores({ database, ...messageKeys });
  const openStateStore = createStateStores({ database, ...messageKeys });
  const connections = createJmapConnections(
    createRequestSlots({
      database,
      onUnavailable: (error) => logger.debug({ err: error }, 'a request in flight could not be counted'),
    }),
  );
  const quota = { config, redis, database, logger, observe: observeQuota };
  const governor = openQuotaGovernor(quota);
  const surveyGovernor = openQuotaGovernor({ ...quota, share: SURVEY_SHARE });

  const onStoreError = (userId: string) => (error: unknown) =>
    logger.warn({ err: error, userId }, 'the message cache could not be brought up to date');

  const openJmapMailbox: OpenJmapMailbox =
    options.openJmapMailbox ??
    (({ userId, accessTokens: tokens, ...account }, { inboxCounts, signal }) =>
      createJmapMailbox({
        ...account,
        accessTokens: tokens,
        connections,
        userId,
        inboxCounts,
        signal,
        store: openStateStore(userId),
        onStoreError: onStoreError(userId),
      }));

  const openMailbox = (userId: string, mailboxOptions: OpenMailboxOptions = {}): Mailbox => {
    const tokens = accessTokens.sourceFor(userId);
    const gmail = createGmailMailbox({
      governor,
      ...mailboxOptions,
      baseUrl: config.GMAIL_BASE_URL,
      accessTokens: tokens,
      userId,
      batchReads,
      store: openMessageStore(userId),
      onRebuild: () => {
        mailboxOptions.onRebuild?.();
        logger.warn({ userId }, 'Gmail history expired, rebuilding the cache');
      },
      onStoreError: onStoreError(userId),
    });
    if (providers.size === 1 && providers.has(GMAIL)) return gmail;
    const openJmap = (account: JmapAccount): Mailbox =>
      openJmapMailbox({ ...account, userId, accessTokens: tokens }, mailboxOptions);
    return createRoutedMailbox({ gmail, openJmap, accessTokens: tokens, providers });
  };

  return {
    tokenCipher,
    providers,
    messageCipher: messageKeys.cipher,
    senderKey: messageKeys.senderKey,
    revokeGrant: createRevokeGrant({ database, tokenCipher, providers }),
    openMessageStore,
    governor,
    /** For background calls whose outcome a user waits for. */
    surveyGovernor,
    openMailbox,
    /** The keys of the providers whose mailboxes can be listened to. */
    listenableProviders: [...providers.values()].filter(({ kind }) => kind === 'jmap').map(({ key }) => key),
    /** Listens to changes of a user's mailbox until the connection is closed; see {@link listenToAccount}. */
    async listenToMailbox(
      userId: string,
      listening: { signal: AbortSignal; onChange: () => void },
    ): Promise<ListeningEnd> {
      const tokens = accessTokens.sourceFor(userId);
      const { provider: key, accountId } = await tokens.findAccount();
      const provider = providers.get(key);
      if (provider?.kind !== 'jmap' || accountId === null) return 'unsupported';
      const server = { sessionUrl: provider.sessionUrl, accountId };
      return await listenToAccount({ server, accessTokens: tokens, connections, userId, ...listening });
    },
  };
};

export type MailboxAccess = ReturnType<typeof createMailboxAccess>;

import type { Provider as DescribedProvider, MailboxCapabilities } from '@mailsweep/contracts';
import type { Database } from '@mailsweep/database';
import type { Provider, Providers } from '@mailsweep/mail/provider-connection';
import { findAccount } from './sign-in.repository.ts';

/** A provider as clients see it. */
export const describeProvider = ({
  key,
  name,
  kind,
  offersReadOnly,
  oauth,
}: Provider): DescribedProvider => ({
  key,
  name,
  kind,
  offersReadOnly,
  signIn: oauth === undefined ? 'token' : 'redirect',
});

/**
 * Where a mailbox is, and what it can do.
 *
 * @param provider - undefined where the operator has taken it out of the configuration, and it still has users
 */
export const describeMailbox = (
  key: string,
  provider: Provider | undefined,
): { provider: DescribedProvider; mailbox: MailboxCapabilities } =>
  provider === undefined
    ? {
        provider: { key, name: key, kind: 'jmap', offersReadOnly: false, signIn: 'redirect' },
        mailbox: { name: key, categories: [], hasQuotaUnits: false, trashDays: null, emailUrl: null },
      }
    : { provider: describeProvider(provider), mailbox: provider.capabilities };

/** Finds an account, with its mailbox as clients see it; null where it was erased. */
export const createFindAccount =
  ({ database, providers }: { database: Database; providers: Providers }) =>
  async (userId: string) => {
    const account = await findAccount(database, userId);
    if (account === null) return null;
    const { provider: key, canChange, ...user } = account;
    const { provider, mailbox } = describeMailbox(key, providers.get(key));
    return { ...user, provider, mailbox: { ...mailbox, canChange } };
  };

export type FindAccount = ReturnType<typeof createFindAccount>;

import type { Provider as DescribedProvider, Me } from '@mailsweep/contracts';
import type { Provider } from '@mailsweep/provider-connection';

/** A provider as clients see it. */
export const describeProvider = ({ key, name, kind, oauth }: Provider): DescribedProvider => ({
  key,
  name,
  kind,
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
): Pick<Me, 'provider' | 'mailbox'> =>
  provider === undefined
    ? {
        provider: { key, name: key, kind: 'jmap', signIn: 'redirect' },
        mailbox: { name: key, categories: [], hasQuotaUnits: false, trashDays: null, emailUrl: null },
      }
    : { provider: describeProvider(provider), mailbox: provider.capabilities };

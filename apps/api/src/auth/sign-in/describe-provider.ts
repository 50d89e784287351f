import type { Provider as DescribedProvider } from '@mailsweep/contracts';
import type { Provider } from '@mailsweep/provider-connection';

/** A provider as clients see it. */
export const describeProvider = ({ key, name, kind, oauth }: Provider): DescribedProvider => ({
  key,
  name,
  kind,
  signIn: oauth === undefined ? 'token' : 'redirect',
});

import type { Provider, Providers } from '@mailsweep/mail/provider-connection';
import {
  askDns,
  createDnsLookup,
  createGuardedCall,
  type GuardedCall,
  GuardedCallError,
  isPublicHttpsUrl,
} from '@mailsweep/service-kit/guarded-calls';

/** Longest wait for one response, in milliseconds: a user waits. */
const TIMEOUT_MS = 3_000;
/** A domain, its `www`, its mail server, and the session there. */
const MAX_CALLS = 4;
/** Anybody names the domain: nothing of a private network is called. */
const POLICY = { allowPrivate: false };

/** How domains are asked; tests have ways of their own. */
export interface DomainLookup {
  call: GuardedCall;
  /** The hosts that a domain names for a service, such as `_jmap._tcp.example.com`; rejects where it names none. */
  resolveService: (name: string) => Promise<{ name: string }[]>;
}

/** @param dnsServers - asked in place of those of the system */
export const createDomainLookup = (dnsServers?: readonly string[]): DomainLookup => ({
  call: createGuardedCall({
    policy: POLICY,
    peer: 'mail-domain',
    keepsConnections: false,
    timeoutMs: TIMEOUT_MS,
    resolveAll: createDnsLookup(dnsServers),
  }),
  resolveService: (name) => askDns((resolver) => resolver.resolveSrv(name), dnsServers),
});

/**
 * Finds the JMAP servers of this installation that serve the addresses of a domain, as the domain says in its DNS or where
 * its `/.well-known/jmap` leads (RFC 8620, section 2.2). What it says only chooses among the operator's servers: no other
 * is ever sent a token.
 *
 * @returns none also where the domain cannot be asked
 */
export const createProvidersOfDomain = (
  providers: Providers,
  { call, resolveService }: DomainLookup,
): ((domain: string) => Promise<Provider[]>) => {
  const servedBy = (host: string): Provider[] =>
    [...providers.values()].filter(
      (provider) => provider.kind === 'jmap' && new URL(provider.sessionUrl).hostname === host.toLowerCase(),
    );

  const findByService = async (domain: string): Promise<Provider[]> => {
    // A domain without such a record is the rule.
    const hosts = await resolveService(`_jmap._tcp.${domain}`).catch(() => []);
    return hosts.flatMap(({ name }) => servedBy(name.replace(/\.$/, '')));
  };

  const findByWellKnown = async (domain: string): Promise<Provider[]> => {
    let url = `https://${domain}/.well-known/jmap`;
    for (let calls = 0; calls < MAX_CALLS && isPublicHttpsUrl(url, POLICY); calls += 1) {
      const found = servedBy(new URL(url).hostname);
      if (found.length > 0) return found;
      const { location } = await call(url, { headers: { accept: 'application/json' } });
      if (location === undefined || !URL.canParse(location, url)) return [];
      url = new URL(location, url).href;
    }
    return [];
  };

  return async (domain) => {
    // An IP address, or a name of the own network, names nothing.
    if (!isPublicHttpsUrl(`https://${domain}/`, POLICY)) return [];
    const named = await findByService(domain);
    if (named.length > 0) return named;
    return findByWellKnown(domain).catch((error: unknown) => {
      if (error instanceof GuardedCallError) return [];
      throw error;
    });
  };
};

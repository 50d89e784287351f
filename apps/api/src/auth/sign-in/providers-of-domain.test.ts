import { createJmapProvider, type Provider } from '@mailsweep/mail/provider-connection';
import {
  createGuardedCall,
  GuardedCallError,
  type GuardedResponse,
} from '@mailsweep/service-kit/guarded-calls';
import { describe, expect, test } from 'vitest';
import { createDomainLookup, createProvidersOfDomain, type DomainLookup } from './providers-of-domain.ts';

const PROVIDERS = new Map<string, Provider>(
  [
    ['fastmail', 'https://api.fastmail.example/jmap/session'],
    ['home', 'https://mail.home.example:8443/jmap/session'],
  ].map(([key = '', sessionUrl = '']) => [
    key,
    createJmapProvider(
      { key, name: key, sessionUrl, scopes: [], token: true },
      'https://app.example/callback',
    ),
  ]),
);

/** Domains with the hosts that their records name, and addresses with where they redirect to. */
const lookUp = async (
  domain: string,
  {
    services = {},
    redirects = {},
  }: { services?: Record<string, string[]>; redirects?: Record<string, string> },
) => {
  const called: string[] = [];
  const call: DomainLookup['call'] = async (url, { headers }) => {
    called.push(url);
    expect(headers).not.toHaveProperty('authorization');
    const location = redirects[url];
    if (location === undefined) throw new GuardedCallError('ENOTFOUND');
    const rest = { retryAfterMs: undefined, contentType: undefined, body: undefined };
    return { status: 307, location, ...rest } satisfies GuardedResponse;
  };
  const resolveService: DomainLookup['resolveService'] = async (name) => {
    const hosts = services[name];
    if (hosts === undefined) throw new Error('ENOTFOUND');
    return hosts.map((host) => ({ name: host }));
  };
  const found = await createProvidersOfDomain(PROVIDERS, { call, resolveService })(domain);
  return { keys: found.map(({ key }) => key), called };
};

describe('the providers of a domain', () => {
  test('are those that its DNS names; nothing is called', async () => {
    const services = { '_jmap._tcp.ada.example': ['API.fastmail.example.', 'elsewhere.example'] };
    expect(await lookUp('ada.example', { services })).toEqual({ keys: ['fastmail'], called: [] });
  });

  test('are those that its well-known address leads to, which is not called itself', async () => {
    const redirects = {
      'https://ada.example/.well-known/jmap': 'https://www.ada.example/jmap',
      'https://www.ada.example/jmap': '//mail.home.example/jmap/session',
    };
    expect(await lookUp('ada.example', { redirects })).toEqual({
      keys: ['home'],
      called: ['https://ada.example/.well-known/jmap', 'https://www.ada.example/jmap'],
    });
  });

  test('are those on the domain itself', async () => {
    expect(await lookUp('mail.home.example', {})).toEqual({ keys: ['home'], called: [] });
  });

  test.each([
    ['another port', 'https://ada.example:8080/'],
    ['plain http', 'http://ada.example/'],
    ['an address', 'https://10.0.0.1/'],
    ['a name of the own network', 'https://intranet/'],
    ['a user', 'https://ada@internal.example/'],
    ['no address', 'https://['],
  ])('are none where it redirects to %s: that is not called', async (_case, location) => {
    const url = 'https://ada.example/.well-known/jmap';
    expect(await lookUp('ada.example', { redirects: { [url]: location } })).toEqual({
      keys: [],
      called: [url],
    });
  });

  test('are none where it redirects in circles', async () => {
    const url = 'https://ada.example/.well-known/jmap';
    expect(await lookUp('ada.example', { redirects: { [url]: url } })).toEqual({
      keys: [],
      called: Array(4).fill(url),
    });
  });

  test('are none where it leads into the own network', async () => {
    const codes: unknown[] = [];
    const guarded = createGuardedCall({
      policy: { allowPrivate: false },
      peer: 'mail-domain',
      keepsConnections: false,
      resolveAll: (_name, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]),
    });
    const find = createProvidersOfDomain(PROVIDERS, {
      ...createDomainLookup(),
      resolveService: async () => [],
      call: (...request) =>
        guarded(...request).catch((error: GuardedCallError) => {
          codes.push(error.code);
          throw error;
        }),
    });
    expect(await find('internal.example')).toEqual([]);
    expect(codes).toEqual(['address_refused']);
  });
});

import { createDnsLookup } from '@mailsweep/service-kit/guarded-calls';
import { startDnsServer } from '@mailsweep/service-kit/testing';
import supertest from 'supertest';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDomainLookup } from '../auth/sign-in/providers-of-domain.ts';
import { type ApiHarness, createClient, startApi } from '../testing/api-harness.ts';
import { LOOPBACK } from '../testing/oauth-program.ts';

test('look-ups of names whose servers stay silent keep nobody else waiting', async () => {
  const gmail = api.google.url.replace('127.0.0.1', 'localhost');
  // Fewer slots than look-ups: these hold none.
  const { url, operationsUrl } = await api.startReplica(
    { GMAIL_BASE_URL: gmail, TRUST_PROXY_HOPS: '1' },
    { slots: 10 },
  );
  const ada = createClient(url, (await api.signIn()).token);
  const from = (address: string) => ({
    find: (domain: string) => supertest(url).get('/api/v1/providers').query({ domain }).set(via(address)),
    authorize: (id: string) =>
      supertest(url)
        .get('/oauth/authorize')
        .query({ client_id: id, redirect_uri: LOOPBACK })
        .set(via(address)),
  });
  const statuses: number[] = [];
  const begin = (request: supertest.Test) => void request.then(({ status }) => statuses.push(status));
  for (let address = 1; address <= 8; address += 1) {
    const { find, authorize } = from(`192.0.2.${address}`);
    begin(find(`d${address}.slow.test`));
    begin(authorize(`https://d${address}.slow.test/client.json`));
  }
  await expect.poll(() => new Set(dns.questions.map(({ name }) => name)).size).toBe(16);

  // Both doors share the limit of an address, and that of all.
  for (const request of [
    from('192.0.2.1').find('other.slow.test'),
    from('192.0.2.1').authorize('https://other.slow.test/client.json'),
  ]) {
    const { headers, body } = await request.expect(429);
    expect(body.code).toBe('too_many_requests_in_flight');
    expect(headers['retry-after']).toBe('1');
  }
  const { headers, body } = await from('192.0.2.99').find('other.slow.test').expect(503);
  expect(body.code).toBe('overloaded');
  expect(headers['retry-after']).toBe('1');

  // What looks nothing up is not refused: a known program, a list, and emails, whose server has a name.
  await from('192.0.2.1').authorize('mailsweep-cli').expect(302);
  await supertest(url).get('/api/v1/providers').set(via('192.0.2.1')).expect(200);
  expect((await ada.get('/api/v1/emails').expect(200)).body.emails).toHaveLength(1);
  expect(statuses.length).toBeLessThan(16);

  await expect
    .poll(() => statuses.toSorted(), { timeout: 15_000 })
    .toEqual([...Array<number>(8).fill(200), ...Array<number>(8).fill(302)]);
  await from('192.0.2.1').find('192.0.2.7').expect(200);
  const metrics = (await supertest(operationsUrl).get('/metrics')).text;
  expect(metrics).toMatch(/mailsweep_rate_limited_requests_total\{limit="look_up",.*\} 2/);
  expect(metrics).toMatch(/mailsweep_shed_requests_total\{reason="look_up",.*\} 1/);
}, 60_000);

test('an IP address is not looked up', async () => {
  const asked = dns.questions.length;
  for (let time = 0; time < 5; time += 1) {
    const { body } = await supertest(api.url).get('/api/v1/providers?domain=192.0.2.7').expect(200);
    expect(body.data).toEqual([]);
  }
  expect(dns.questions).toHaveLength(asked);
});

const via = (address: string) => ({ 'x-forwarded-for': address });

let dns: Awaited<ReturnType<typeof startDnsServer>>;
let api: ApiHarness;
beforeAll(async () => {
  dns = await startDnsServer();
  api = await startApi({
    mail: { 'ada@example.com': [{ id: 'one' }] },
    domainLookup: createDomainLookup([dns.address]),
    clientDocuments: { policy: { allowPrivate: false }, resolveAll: createDnsLookup([dns.address]) },
  });
});
afterAll(async () => {
  await api?.close();
  dns?.close();
});

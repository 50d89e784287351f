import { chooseAccount } from '@mailsweep/google-sandbox/testing/sign-in-pages';
import supertest from 'supertest';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type ApiHarness,
  createClient,
  createProgram,
  FRONTEND_ORIGIN,
  startApi,
} from '../testing/api-harness.ts';
import { type Browser, openBrowser } from '../testing/browser.ts';
import { createOAuthProgram } from '../testing/oauth-program.ts';

const [HOME, WORK, OTHER] = ['edith@example.com', 'edith@work.example', 'grace@example.com'];

describe('adding a mailbox', () => {
  test('takes a sign-in to it, and the session reaches both', async () => {
    const browser = await signedIn();
    const { home, work } = clientsOf(browser);
    const before = await home.get('/api/v1/me');

    expect(await browser.addMailbox(WORK)).toBe(`${FRONTEND_ORIGIN}/auth/callback?mailbox=2`);

    expect((await home.get('/api/v1/me')).body).toEqual(before.body);
    expect((await work.get('/api/v1/me')).body).toMatchObject({ email: WORK });
    expect((await work.get('/api/v1/me')).headers['mailsweep-user']).not.toBe(before.body.userId);
    expect((await work.get('/api/v1/me/mailboxes')).body.data).toMatchObject([
      { number: 1, email: HOME, name: null, connection: 'active', current: false },
      { number: 2, email: WORK, name: null, connection: 'active', current: true },
    ]);
    expect(await auditOf(home)).toMatchObject({ event: 'mailbox_added', details: { mailbox: WORK } });
    expect(await auditOf(work)).toMatchObject({ event: 'mailbox_added', details: { mailbox: HOME } });
  });

  test('is needed once: a later sign-in to any of them reaches all, one from before does not', async () => {
    const early = await signedIn(WORK);
    await addWork(await signedIn());

    expect(await emailsOf(early)).toEqual([WORK]);
    expect(await emailsOf(await signedIn(WORK))).toEqual([HOME, WORK]);
    expect((await clientsOf(early).home.get('/api/v1/me').set('mailsweep-mailbox', '1')).body.code).toBe(
      'mailbox_not_reachable',
    );
  });

  test('changes nothing the second time, nor for the mailbox of the session itself', async () => {
    const browser = await addWork(await signedIn());

    expect(await browser.addMailbox(WORK)).toMatch(/\?mailbox=2$/);
    expect(await browser.addMailbox(HOME)).toMatch(/\?mailbox=1$/);
    expect(await emailsOf(browser)).toEqual([HOME, WORK]);
  });

  test('takes a sign-in of the last ten minutes', async () => {
    const browser = await signedIn();
    await api.testDatabase.query(`UPDATE "Session" SET "createdAt" = now() - interval '11 minutes'`);

    const refused = `${FRONTEND_ORIGIN}/auth/callback?error=recent_sign_in_required`;
    expect((await browser.get('/auth/idp?add=true')).headers.location).toBe(refused);
    expect((await openBrowser(api.url).get('/auth/idp?add=true')).headers.location).toBe(refused);
  });

  test('ends with nothing where another session comes back than went', async () => {
    const browser = await signedIn();
    const begun = await browser.begin('?add=true');
    await browser.signIn(OTHER);

    expect(await comeBack(browser, begun, WORK)).toContain('?error=invalid_state');
    expect(await api.testDatabase.query('SELECT FROM "Owner"')).toEqual([]);
  });

  test('leaves a mailbox with its owner that has others, and takes one that is alone', async () => {
    const browser = await addWork(await signedIn());
    const grace = await signedIn(OTHER);

    expect(await grace.addMailbox(WORK)).toContain('?error=mailbox_taken');
    expect(await emailsOf(browser)).toEqual([HOME, WORK]);
    await clientsOf(browser).home.delete('/api/v1/me/mailboxes/1').expect(204);
    expect(await grace.addMailbox(WORK)).toMatch(/\?mailbox=2$/);
    expect(await emailsOf(await signedIn(WORK))).toEqual([OTHER, WORK]);
    expect(await api.testDatabase.query('SELECT FROM "Owner"')).toHaveLength(1);
  });

  test.each([
    ['two additions of each other', HOME, WORK],
    ['the same addition twice', HOME, HOME],
  ])('holds when they race: %s', async (_, first, second) => {
    const browsers = [await signedIn(first), await signedIn(second)];
    const results = await Promise.all(
      browsers.map((browser, index) => browser.addMailbox([first, second][index] === HOME ? WORK : HOME)),
    );

    const count = await api.testDatabase.query<{ ownerId: string }>(
      `SELECT DISTINCT "ownerId" FROM "User" WHERE "email" IN ('${HOME}', '${WORK}')`,
    );
    expect(results.filter((location) => location?.includes('?mailbox=')).length).toBeGreaterThan(0);
    expect(count).toHaveLength(1);
  });
});

describe('the mailbox that a request names', () => {
  test.each(['0', '-1', '1x', '2, 2', 'edith@work.example', ''])('is refused as %j', async (value) => {
    const { home } = clientsOf(await addWork(await signedIn()));
    const response = await home.get('/api/v1/me').set('mailsweep-mailbox', value).expect(400);

    expect(response.body.errors).toMatchObject([{ path: 'Mailsweep-Mailbox' }]);
  });

  test('has to be one of the session, and the one that a page is for', async () => {
    const { home, work } = clientsOf(await addWork(await signedIn()));
    const { userId } = (await home.get('/api/v1/me')).body;

    expect((await home.get('/api/v1/me').set('mailsweep-mailbox', '3')).body).toMatchObject({
      status: 403,
      code: 'mailbox_not_reachable',
    });
    const other = await work.get('/api/v1/me').set('mailsweep-user', userId);
    expect(other.body.code).toBe('user_changed');
  });

  test('may be named by programs with a token for all, and with one for one alone it is that one', async () => {
    const { home } = clientsOf(await addWork(await signedIn()));
    const all = await home
      .post('/api/v1/me/tokens', { name: 'All', scope: 'read', allMailboxes: true })
      .expect(200);
    const one = await createProgram(api.url, home, 'read');

    expect(all.body.allMailboxes).toBe(true);
    const me = (secret: string, number: string) =>
      withToken(secret, '/api/v1/me').set('mailsweep-mailbox', number);
    expect((await me(all.body.secret, '2')).body.email).toBe(WORK);
    expect((await me(one.secret, '1')).body.email).toBe(HOME);
    expect((await me(one.secret, '2')).body.code).toBe('mailbox_not_reachable');
    expect((await one.get('/api/v1/me/mailboxes')).body.data).toHaveLength(1);
  });

  test.each([
    [false, [HOME]],
    [true, [HOME, WORK]],
  ])('may be named by programs that the user allows, if for all: %s', async (allMailboxes, reached) => {
    const { home } = clientsOf(await addWork(await signedIn()));
    const program = createOAuthProgram(api.url);
    const path = await program.ask(home);
    const { redirectTo } = (await home.post(`${path}/allow`, { allMailboxes }).expect(200)).body;
    const token = await program.exchange(new URL(redirectTo).searchParams.get('code') ?? '').expect(200);

    const { body } = await withToken(token.body.access_token, '/api/v1/me/mailboxes').expect(200);
    expect(body.data.map(({ email }: { email: string }) => email)).toEqual(reached);
  });

  test('may be another one than a program’s request was first shown for', async () => {
    const { home, work } = clientsOf(await addWork(await signedIn()));
    const program = createOAuthProgram(api.url);
    const path = await program.ask(home);
    await work.get(path).expect(200);
    await home.post(`${path}/allow`, {}).expect(404);
    const { redirectTo } = (await work.post(`${path}/allow`, {}).expect(200)).body;

    const token = await program.exchange(new URL(redirectTo).searchParams.get('code') ?? '').expect(200);
    expect((await withToken(token.body.access_token, '/api/v1/me')).body.email).toBe(WORK);
  });

  test('is the one that assistants work in', async () => {
    const { home } = clientsOf(await addWork(await signedIn()));
    const token = { name: 'All', scope: 'read', allMailboxes: true };
    const { secret } = (await home.post('/api/v1/me/tokens', token).expect(200)).body;
    const search = { name: 'search_emails', arguments: { search: 'subject-of-work' } };
    const call = (number: number) =>
      supertest(api.url)
        .post('/mcp')
        .set('mailsweep-mailbox', String(number))
        .auth(secret, { type: 'bearer' })
        .set('accept', 'application/json, text/event-stream')
        .send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: search });

    expect((await call(2)).text).toContain('mail-of-work');
    expect((await call(1)).text).not.toContain('mail-of-work');
  });
});

describe('the mailboxes of an owner', () => {
  test('are named and ordered', async () => {
    const { home } = clientsOf(await addWork(await signedIn()));

    await home.patch('/api/v1/me/mailboxes/2', { name: '  Work ' }).expect(200);
    const moved = await home.patch('/api/v1/me/mailboxes/2', { position: 1 }).expect(200);

    expect(moved.body).toMatchObject({ number: 2, name: 'Work', email: WORK });
    expect(await numbersOf(home)).toEqual([2, 1]);
    await home.patch('/api/v1/me/mailboxes/2', { name: null, position: 20 }).expect(200);
    expect(await numbersOf(home)).toEqual([1, 2]);
    await home.patch('/api/v1/me/mailboxes/3', { name: 'None' }).expect(404);
    await home.patch('/api/v1/me/mailboxes/2', { name: '' }).expect(400);
  });

  test('lose one that is taken out: nothing of it changes, and nobody reaches another one through it', async () => {
    const browser = await addWork(await signedIn());
    const { home, work } = clientsOf(browser);
    const ofWork = await signedIn(WORK);
    const token = { name: 'All', scope: 'read', allMailboxes: true };
    const { secret } = (await clientsOf(ofWork).home.post('/api/v1/me/tokens', token).expect(200)).body;

    await home.delete('/api/v1/me/mailboxes/2').expect(204);

    expect(await emailsOf(browser)).toEqual([HOME]);
    expect(await emailsOf(ofWork)).toEqual([WORK]);
    const { body } = await withToken(secret, '/api/v1/me/mailboxes');
    expect(body.data).toMatchObject([{ email: WORK, number: 1 }]);
    expect(await auditOf(home)).toMatchObject({ event: 'mailbox_removed', details: { mailbox: WORK } });
    expect((await work.get('/api/v1/me')).body.code).toBe('mailbox_not_reachable');
    await browser.addMailbox(WORK);
    expect(await numbersOf(home)).toEqual([1, 3]);
  });

  test('keep a mailbox until a sign-in of the last ten minutes takes it out', async () => {
    const { home } = clientsOf(await addWork(await signedIn()));
    await api.testDatabase.query(`UPDATE "Session" SET "createdAt" = now() - interval '11 minutes'`);

    expect((await home.delete('/api/v1/me/mailboxes/2').expect(401)).body.code).toBe(
      'recent_sign_in_required',
    );
  });

  test('stay when one of them is erased', async () => {
    const browser = await addWork(await signedIn());
    const { home, work } = clientsOf(browser);

    await work.delete('/api/v1/me', { confirm: HOME }).expect(400);
    await work.delete('/api/v1/me', { confirm: WORK }).expect(204);

    expect(await emailsOf(browser)).toEqual([HOME]);
    expect(await api.testDatabase.query('SELECT FROM "User" WHERE "email" = $1', [WORK])).toEqual([]);
    await home.delete('/api/v1/me', { confirm: HOME }).expect(204);
    expect(await api.testDatabase.query('SELECT FROM "Owner"')).toEqual([]);
  });

  test('are signed out together, with whatever could reach any of them', async () => {
    const [browser, early] = [await signedIn(), await signedIn(WORK)];
    const { home, work } = clientsOf(await addWork(browser));
    const program = await createProgram(api.url, home, 'read');
    const late = await signedIn(WORK);
    expect((await home.get('/api/v1/me/sessions')).body.total).toBe(3);

    await work.post('/auth/logout-everywhere').expect(204);

    for (const each of [browser, early, late]) expect((await each.get('/api/v1/me')).status).toBe(401);
    expect((await program.get('/api/v1/me')).status).toBe(401);
  });

  test('end each other’s sessions', async () => {
    const browser = await addWork(await signedIn());
    const other = await signedIn(WORK);
    const { home, work } = clientsOf(browser);
    const { data } = (await work.get('/api/v1/me/sessions')).body;
    expect(data.map(({ current }: { current: boolean }) => current)).toEqual([true, false]);

    await home.delete(`/api/v1/me/sessions/${data[1].id}`).expect(204);
    expect((await other.get('/api/v1/me')).status).toBe(401);
    await work.delete(`/api/v1/me/sessions/${data[0].id}`).expect(204);
    expect((await browser.get('/api/v1/me')).status).toBe(401);
  });

  test('have one time zone and one way to be notified', async () => {
    const browser = await signedIn();
    const { home, work } = clientsOf(browser);
    const mine = { timeZone: 'Europe/Berlin', notifications: { quietHours: { from: '22:00', to: '07:00' } } };
    await home.patch('/api/v1/me/preferences', mine).expect(200);
    await addWork(browser);

    expect((await work.get('/api/v1/me/preferences')).body).toMatchObject(mine);
    const changes = { timeZone: 'Asia/Tokyo', historyRetentionDays: 30, watch: { everyMinutes: 30 } };
    await work.patch('/api/v1/me/preferences', changes).expect(200);
    expect((await home.get('/api/v1/me/preferences')).body).toMatchObject({
      ...mine,
      timeZone: 'Asia/Tokyo',
      historyRetentionDays: null,
      watch: { everyMinutes: 15 },
    });
  });

  test('get copies of rules and protections, once, and the rules disabled', async () => {
    const { home, work } = clientsOf(await addWork(await signedIn()));
    await home.get('/api/v1/emails').expect(200);
    const { id } = (await home.get('/api/v1/senders')).body.data[0];
    const domain = (await home.get('/api/v1/senders?by=domain')).body.data[0];
    const ruleOf = (sender: string) => ({
      condition: { type: 'sender', sender },
      olderThan: 7,
      action: 'archive',
      enabled: true,
    });
    for (const sender of [id, domain.id]) await home.post('/api/v1/rules', ruleOf(sender)).expect(200);
    const byKind = { type: 'classification', classification: 'newsletter', minConfidence: 0.9 };
    await home.post('/api/v1/rules', { ...ruleOf(id), condition: byKind }).expect(200);
    await home.put(`/api/v1/protections/${id}`).expect(200);
    await home.post('/api/v1/protections', { name: '@family.example' }).expect(200);

    const copy = () => work.post('/api/v1/me/mailboxes/1/copy').expect(200);
    expect((await copy()).body).toEqual({ rules: 3, protections: 2 });
    expect((await copy()).body).toEqual({ rules: 0, protections: 0 });

    const { data: rules } = (await work.get('/api/v1/rules')).body;
    expect(rules).toMatchObject(
      [byKind, { type: 'sender' }, { type: 'sender' }].map((condition) => ({ condition, enabled: false })),
    );
    const [, ofDomain, ofSender] = rules;
    await work.get('/api/v1/emails').expect(200);
    expect(ofSender.condition.sender).not.toBe(id);
    expect((await work.get(`/api/v1/senders/${ofSender.condition.sender}`)).body.from).toContain(
      '@shop.example',
    );
    const domains = (await work.get('/api/v1/senders?by=domain')).body.data;
    expect(domains.map((each: { id: string }) => each.id)).toContain(ofDomain.condition.sender);
    expect((await work.get('/api/v1/protections')).body.data).toMatchObject([
      { type: 'domain', from: 'family.example' },
      { type: 'sender' },
    ]);
  });
});

describe('renewing the connection of another mailbox', () => {
  test('suggests its account, and the session goes on', async () => {
    const browser = await addWork(await signedIn());
    const { home } = clientsOf(browser);
    await api.testDatabase.query(
      `UPDATE "ProviderConnection" SET "reauthRequiredAt" = now()
       WHERE "userId" = (SELECT "id" FROM "User" WHERE "email" = $1)`,
      [WORK],
    );
    expect((await home.get('/api/v1/me/mailboxes')).body.data[1].connection).toBe('reauth_required');
    const url = await browser.begin('?renew=true&mailbox=2');
    expect(url.searchParams.get('login_hint')).toBe(WORK);
    url.searchParams.delete('login_hint');

    expect(await comeBack(browser, url, OTHER)).toContain('?error=account_mismatch');
    const again = await browser.begin('?renew=true&mailbox=2');
    expect(await comeBack(browser, again, WORK)).toMatch(/\?mailbox=2$/);
    expect((await home.get('/api/v1/me')).body.email).toBe(HOME);
    expect((await home.get('/api/v1/me/mailboxes')).body.data[1].connection).toBe('active');
  });

  test('is refused for a mailbox of somebody else', async () => {
    const browser = await signedIn();
    expect((await browser.get('/auth/idp?renew=true&mailbox=2')).headers.location).toContain(
      '?error=account_mismatch',
    );
    await browser.get('/auth/idp?renew=true&mailbox=two').then(({ status }) => expect(status).toBe(400));
  });
});

const signedIn = async (email = HOME): Promise<Browser> => {
  const browser = openBrowser(api.url);
  await browser.signIn(email);
  return browser;
};

/** Without a mailbox that the request names, and with the second one. */
const clientsOf = (browser: Browser) => {
  const token = browser.cookies.get('session_token') ?? '';
  return { home: createClient(api.url, token), work: createClient(api.url, token, 2) };
};
type Client = ReturnType<typeof clientsOf>['home'];

const comeBack = async (browser: Browser, begun: URL, email: string): Promise<string | undefined> =>
  (await browser.complete(await chooseAccount(begun.href, email))).headers.location;

const withToken = (secret: string, path: string) =>
  supertest(api.url).get(path).auth(secret, { type: 'bearer' });

const emailsOf = async (browser: Browser): Promise<string[]> =>
  (await browser.get('/api/v1/me/mailboxes')).body.data.map(({ email }: { email: string }) => email);

const numbersOf = async (client: Client): Promise<number[]> =>
  (await client.get('/api/v1/me/mailboxes')).body.data.map(({ number }: { number: number }) => number);

/** The newest entry of the audit trail. */
const auditOf = async (client: Client) => (await client.get('/api/v1/me/audit').expect(200)).body.data[0];

const addWork = async (browser: Browser): Promise<Browser> => {
  expect(await browser.addMailbox(WORK)).toMatch(/\?mailbox=\d+$/);
  return browser;
};

let api: ApiHarness;
beforeAll(async () => {
  const mailOf = (name: string) => ({
    id: `mail-of-${name}`,
    from: 'Shop <news@shop.example>',
    subject: `subject-of-${name}`,
  });
  api = await startApi({ mail: { [HOME]: [mailOf('home')], [WORK]: [mailOf('work')], [OTHER]: [] } });
});
beforeEach(async () => {
  await api.testDatabase.query('DELETE FROM "User"; DELETE FROM "Owner"');
});
afterAll(() => api.close());

import { API_ROUTES, type RouteContract } from '@mailsweep/contracts';
import { chooseAccount } from '@mailsweep/google-sandbox/testing/sign-in-pages';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type ApiHarness,
  createClient,
  createProgram,
  FRONTEND_ORIGIN,
  startApi,
} from '../testing/api-harness.ts';
import { type Browser, openBrowser } from '../testing/browser.ts';

const ID = '0197a3c4-6666-7e8f-9a0b-1c2d3e4f5a6b';
const SENDER = '0'.repeat(64);
const HOME = `${FRONTEND_ORIGIN}/auth/callback`;

/** Requests of every route that changes the mailbox, or writes to a sender. */
const CHANGES: [name: string, path: string, body?: object][] = [
  ['executeInboxAction', '/inbox/actions', { emailIds: ['m1'], action: 'archive' }],
  ['confirmSuggestions', '/notifications/confirm', { emailIds: ['m1'], action: 'accept' }],
  ['runCleanup', `/cleanups/${ID}/run`],
  ['resumeCleanup', `/cleanups/${ID}/resume`],
  ['undoCleanup', `/cleanups/${ID}/undo`],
  ['runRule', `/rules/${ID}/run`],
  ['undoRule', `/rules/${ID}/undo`],
  ['undoActions', '/notifications/history/undo', { ids: [ID] }],
  ['undoAction', `/notifications/history/${ID}/undo`],
  ['undoActionBatch', `/notifications/history/batches/${ID}/undo`],
  ['unsubscribe', `/senders/${SENDER}/unsubscribe`],
];

/** Those that change what is ours alone, or stop or plan something. */
const HARMLESS = [
  'createCleanup',
  'pauseCleanup',
  'cancelCleanup',
  'protectSender',
  'protectByName',
  'unprotectSender',
  'updatePreferences',
  'allowSuggestion',
  'startScan',
  'cancelScan',
  'createRule',
  'updateRule',
  'deleteRule',
];

describe('a user who lets Mailsweep only look', () => {
  test('asks Google for reading alone, which Google enforces', async () => {
    const url = await beginAt(openBrowser(api.url), '?access=read');
    expect(url.searchParams.get('scope')).toBe(
      'openid email profile https://www.googleapis.com/auth/gmail.readonly',
    );
    const { me } = await look();
    expect(me).toMatchObject({ connection: 'active', mailbox: { name: 'Gmail', canChange: false } });
  });

  test.each(CHANGES)(
    'is refused %s, by session and by token, and nothing is written',
    async (_name, path, body) => {
      const { client } = await look();
      const program = await createProgram(api.url, client);
      const counted = await countRows();
      for (const asker of [client, program]) {
        const { body: problem } = await asker.post(`/api/v1${path}`, body).expect(403);
        expect(problem).toMatchObject({ code: 'read_only_access' });
      }
      expect(await countRows()).toEqual(counted);
      expect(
        api.google.calls.filter(({ path, method }) => method !== 'GET' && path.includes('/gmail/')),
      ).toEqual([]);
      expect(await api.google.labelsOf('m1')).toContain('INBOX');
    },
  );

  test('sees everything, plans a cleanup, and rejects a suggestion', async () => {
    const { client } = await look();
    for (const path of [
      'emails',
      'mailbox',
      'suggestions',
      'senders',
      'suggestions/groups',
      'rules',
      'activity',
    ])
      await client.get(`/api/v1/${path}`).expect(200);
    const selection = { type: 'filter', scope: 'inbox' };
    const { body: plan } = await client.post('/api/v1/cleanups', { action: 'archive', selection });
    expect(plan).toMatchObject({ state: 'planned' });
    const rejection = { emailIds: ['m1'], action: 'reject' };
    const { body } = await client.post('/api/v1/notifications/confirm', rejection).expect(200);
    expect(body).toMatchObject({ processed: 1 });
    expect(await api.google.labelsOf('m1')).toContain('INBOX');
  });

  test('allows changes by a renewal with consent, which a refusal at Google leaves as it was', async () => {
    const { browser } = await look();
    const url = await beginAt(browser, '?renew=true&access=change');
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      login_hint: 'ada@example.com',
      prompt: 'consent',
      scope: 'openid email profile https://www.googleapis.com/auth/gmail.modify',
    });
    const refused = await browser.get(
      `/auth/idp/callback?error=access_denied&state=${url.searchParams.get('state')}`,
    );
    expect(refused.headers.location).toBe(`${HOME}?error=access_denied`);
    expect((await whoIs(browser)).mailbox.canChange).toBe(false);

    const again = await beginAt(browser, '?renew=true&access=change');
    await browser.complete(await chooseAccount(again.href, 'ada@example.com'));
    expect((await whoIs(browser)).mailbox.canChange).toBe(true);
    const client = createClient(api.url, browser.cookies.get('session_token') ?? '');
    const archive = { emailIds: ['m1'], action: 'archive' };
    const { body } = await client.post('/api/v1/inbox/actions', archive).expect(200);
    expect(body.summary).toMatchObject({ processed: 1 });
    expect(await api.google.labelsOf('m1')).not.toContain('INBOX');
    await api.google.changeLabels('m1', { added: ['INBOX'] });
  });

  test('goes on looking after a refresh and a renewal, until a usual sign-in; and again after another look', async () => {
    const { browser, client } = await look();
    await api.testDatabase.query(`UPDATE "ProviderConnection" SET "accessTokenExpiresAt" = now()`);
    await client.get('/api/v1/emails').expect(200);
    expect((await whoIs(browser)).mailbox.canChange).toBe(false);
    const renewal = await beginAt(browser, '?renew=true');
    expect(renewal.searchParams.get('scope')).toContain('gmail.readonly');
    expect(renewal.searchParams.get('prompt')).toBe('select_account');
    await browser.signIn();
    expect((await whoIs(browser)).mailbox.canChange).toBe(true);
    expect((await look(browser)).me.mailbox.canChange).toBe(false);
  });

  test('who has allowed changes before is asked for consent, so that the stored refresh token only reads', async () => {
    await api.signIn();
    const withoutRefreshToken = ({ refresh_token: _, ...response }: Record<string, unknown>) => response;
    api.google.rewrite({ path: /^\/oauth2\/token/, times: 1, change: withoutRefreshToken });
    const browser = openBrowser(api.url);
    const url = await beginAt(browser, '?access=read');
    const { headers } = await browser.complete(await chooseAccount(url.href, 'ada@example.com'));
    const consent = new URL(headers.location ?? '').searchParams;
    expect(consent.get('prompt')).toBe('consent');
    expect(consent.get('scope')).toContain('gmail.readonly');
  });
});

test('every other route that is more than reading is known to change nothing in the mailbox', () => {
  const more = Object.entries<RouteContract>(API_ROUTES)
    .filter(([, { access, method }]) => ['act', 'admin'].includes(access) && method !== 'get')
    .map(([name]) => name);
  expect(more.toSorted()).toEqual([...CHANGES.map(([name]) => name), ...HARMLESS].toSorted());
});

const beginAt = async (browser: Browser, query: string): Promise<URL> =>
  new URL((await browser.get(`/auth/idp${query}`)).headers.location ?? '');

const whoIs = async (browser: Browser) =>
  (
    await createClient(api.url, browser.cookies.get('session_token') ?? '')
      .get('/api/v1/me')
      .expect(200)
  ).body;

/** Signs in for a look alone. */
const look = async (browser = openBrowser(api.url)) => {
  const url = await beginAt(browser, '?access=read');
  await browser.complete(await chooseAccount(url.href, 'ada@example.com'));
  const client = createClient(api.url, browser.cookies.get('session_token') ?? '');
  api.google.heal();
  return { browser, client, me: await whoIs(browser) };
};

const countRows = () =>
  api.testDatabase.query(`SELECT
    (SELECT count(*) FROM "ActionIntent") AS intents, (SELECT count(*) FROM "ActionHistory") AS history,
    (SELECT count(*) FROM "Unsubscribe") AS unsubscribes, (SELECT count(*) FROM "Cleanup") AS cleanups,
    (SELECT count(*) FROM "OutboxEvent") AS events`);

let api: ApiHarness;
beforeAll(async () => {
  api = await startApi({ mail: { 'ada@example.com': [{ id: 'm1' }, { id: 'm2' }] } });
});
beforeEach(async () => {
  api.google.heal();
  await api.testDatabase.query('DELETE FROM "User"');
});
afterAll(() => api.close());

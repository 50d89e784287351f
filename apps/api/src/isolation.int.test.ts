import { createECDH, createHash, randomBytes } from 'node:crypto';
import { API_ROUTES, DOMAIN_EVENTS, type RouteContract } from '@mailsweep/contracts';
import { respondWithSuggestions } from '@mailsweep/ml-client/testing';
import supertest from 'supertest';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type ApiClient, type ApiHarness, createProgram, startApi } from './testing/api-harness.ts';
import { openBrowser } from './testing/browser.ts';
import { createOAuthProgram } from './testing/oauth-program.ts';
import { insertNotificationEvent } from './testing/stored-rows.ts';

const EMAILS = {
  ada: 'ada@example.com',
  grace: 'grace@example.com',
  edith: 'edith@example.com',
  work: 'edith@work.example',
};
type Name = keyof typeof EMAILS;
const ROUTES = API_ROUTES;
type RouteName = keyof typeof ROUTES;

const createPublicKey = (): string => {
  const pair = createECDH('prime256v1');
  pair.generateKeys();
  return pair.getPublicKey('base64url');
};

/** What a browser returns from `PushSubscription.toJSON()`. */
const toPushSubscription = (name: string) => ({
  endpoint: `https://push.example.com/${name}`,
  keys: { p256dh: createPublicKey(), auth: randomBytes(16).toString('base64url') },
});

/** What one may try with the ids of somebody else, on every route that takes an id of any kind. */
const attemptsOn = (victim: Victim): [route: RouteName, attempt: { path?: string; body?: object }][] => [
  ['listEmails', {}],
  ['lookUpEmails', { body: { emailIds: victim.emailIds } }],
  ...victim.emailIds.map((id): [RouteName, { path: string }] => [
    'readConversation',
    { path: `/api/v1/conversations/thread-${id}` },
  ]),
  ['listSuggestions', {}],
  ['summarizeNotifications', {}],
  ['listActionHistory', {}],
  ['listActionHistory', { path: `?batch=${victim.batchId}` }],
  ['listActionHistory', { path: `?sender=${victim.senderId}` }],
  ['listActionHistory', { path: `?batch=${victim.batchId}&search=e` }],
  ['listActionBatches', {}],
  ['listActionBatches', { path: '?search=e' }],
  ['listBatchSenders', { path: `/api/v1/notifications/history/batches/${victim.batchId}/senders` }],
  ['listActionBatches', { path: `?batch=${victim.batchId}` }],
  ['undoActionBatch', { path: `/api/v1/notifications/history/batches/${victim.batchId}/undo` }],
  ['listNotificationEvents', {}],
  ['listNotificationEvents', { path: `?userId=${victim.userId}` }],
  ['listStoredSuggestions', {}],
  ['getMailboxOverview', {}],
  ['getSurvey', {}],
  ['getActivity', {}],
  ['listSuggestionGroups', {}],
  ['listSuggestionGroups', { path: '?by=classification' }],
  ['summarizeSuggestions', {}],
  ['listSenders', {}],
  ['getSender', { path: `/api/v1/senders/${victim.senderId}` }],
  ['getSenderOfEmail', { path: `/api/v1/emails/${victim.emailIds[0]}/sender` }],
  ['listSenderEmails', { path: `/api/v1/senders/${'0'.repeat(64)}/emails` }],
  ['getUnsubscribe', { path: `/api/v1/senders/${victim.senderId}/unsubscribe` }],
  ['unsubscribe', { path: `/api/v1/senders/${victim.senderId}/unsubscribe` }],
  ['getPushKey', {}],
  ['listPushSubscriptions', {}],
  ['subscribeToPush', { body: toPushSubscription(`not-of-${victim.userId}`) }],
  ['unsubscribeFromPush', { path: `/api/v1/push/subscriptions/${victim.pushId}` }],
  ['sendTestNotification', {}],
  ['listProtections', {}],
  ['protectByName', { body: { name: 'nobody@else.example' } }],
  ['protectSender', { path: `/api/v1/protections/${victim.senderId}` }],
  ['unprotectSender', { path: `/api/v1/protections/${victim.senderId}` }],
  ['getPrecision', {}],
  ['listStoppedSuggestions', {}],
  ['allowSuggestion', { path: `/api/v1/suggestions/stopped/${victim.recordIds[0]}` }],
  ['startScan', { body: {} }],
  ['listScans', {}],
  ['getScan', { path: `/api/v1/scans/${victim.scanId}` }],
  ['cancelScan', { path: `/api/v1/scans/${victim.scanId}/cancel` }],
  ['listCleanups', {}],
  [
    'createCleanup',
    { body: { action: 'archive', selection: { type: 'senders', senders: ['0'.repeat(64)] } } },
  ],
  ['getCleanup', { path: `/api/v1/cleanups/${victim.cleanupId}` }],
  ['listCleanupEmails', { path: `/api/v1/cleanups/${victim.cleanupId}/emails` }],
  ['runCleanup', { path: `/api/v1/cleanups/${victim.cleanupId}/run` }],
  ['pauseCleanup', { path: `/api/v1/cleanups/${victim.cleanupId}/pause` }],
  ['resumeCleanup', { path: `/api/v1/cleanups/${victim.cleanupId}/resume` }],
  ['cancelCleanup', { path: `/api/v1/cleanups/${victim.cleanupId}/cancel` }],
  ['undoCleanup', { path: `/api/v1/cleanups/${victim.cleanupId}/undo` }],
  ['listRules', {}],
  [
    'createRule',
    { body: { condition: { type: 'sender', sender: victim.senderId }, olderThan: 0, action: 'delete' } },
  ],
  ['exportRules', { path: `/api/v1/rules/export?format=sieve&ruleId=${victim.ruleId}` }],
  ['getRule', { path: `/api/v1/rules/${victim.ruleId}` }],
  ['updateRule', { path: `/api/v1/rules/${victim.ruleId}`, body: { enabled: false, olderThan: 3 } }],
  ['previewRule', { path: `/api/v1/rules/${victim.ruleId}/preview` }],
  ['runRule', { path: `/api/v1/rules/${victim.ruleId}/run` }],
  ['undoRule', { path: `/api/v1/rules/${victim.ruleId}/undo` }],
  ['deleteRule', { path: `/api/v1/rules/${victim.ruleId}` }],
  ['getMe', {}],
  ['getPreferences', {}],
  ['getWatch', {}],
  ['updatePreferences', { body: { watch: { enabled: false }, timeZone: 'Asia/Tokyo' } }],
  ['listSessions', {}],
  ['revokeSession', { path: `/api/v1/me/sessions/${victim.sessionId}` }],
  ['listAuditEntries', {}],
  ['listOutgoingCalls', {}],
  ['listTokens', {}],
  ['createToken', { body: { name: 'Mine', scope: 'admin' } }],
  ['renameToken', { path: `/api/v1/me/tokens/${victim.tokenId}`, body: { name: 'Mine' } }],
  ['revokeToken', { path: `/api/v1/me/tokens/${victim.tokenId}` }],
  ['getAuthorizationRequest', { path: `/api/v1/me/authorizations/${victim.authorizationId}` }],
  ['allowAuthorizationRequest', { path: `/api/v1/me/authorizations/${victim.authorizationId}/allow` }],
  ['denyAuthorizationRequest', { path: `/api/v1/me/authorizations/${victim.authorizationId}/deny` }],
  ['exportMe', {}],
  ['eraseMe', { body: { confirm: victim.email } }],
  ['listMailboxes', {}],
  ['updateMailbox', { path: '/api/v1/me/mailboxes/2', body: { name: 'Mine' } }],
  ['removeMailbox', { path: '/api/v1/me/mailboxes/2' }],
  ['copyFromMailbox', { path: '/api/v1/me/mailboxes/2/copy' }],
  ['listProviders', {}],
  ['checkHealth', {}],
  ['checkDatabaseHealth', {}],
  ...(['archive', 'delete', 'mark_unread', 'mark_read'] as const).map(
    (action): [RouteName, { body: object }] => [
      'executeInboxAction',
      { body: { emailIds: victim.emailIds, action } },
    ],
  ),
  ['confirmSuggestions', { body: { emailIds: victim.emailIds, action: 'accept' } }],
  ['confirmSuggestions', { body: { emailIds: victim.emailIds, action: 'reject' } }],
  ['undoActions', { body: { ids: victim.recordIds } }],
  ['undoAction', { path: `/api/v1/notifications/history/${victim.recordIds[0]}/undo` }],
];

const PAIRS: [Name, Name][] = [
  ['ada', 'grace'],
  ['grace', 'ada'],
];

/** What belongs to the owner, whatever mailbox a request is for. */
const OF_THE_OWNER = new Set<RouteName>([
  'listMailboxes',
  'updateMailbox',
  'removeMailbox',
  'copyFromMailbox',
  'listSessions',
  'revokeSession',
  'updatePreferences',
  'listPushSubscriptions',
  'unsubscribeFromPush',
  'getAuthorizationRequest',
  'allowAuthorizationRequest',
  'denyAuthorizationRequest',
]);

/** Sends each attempt; returns the routes that were tried. */
const attack = async (
  victimName: Name,
  headers: Record<string, string>,
  attempts: ReturnType<typeof attemptsOn>,
): Promise<RouteName[]> => {
  const victim = people[victimName];
  /** What the attacker has sent so far: it is no secret to them, and may come back. */
  let sent = '';
  for (const [name, { path, body }] of attempts) {
    const route: RouteContract = ROUTES[name];
    const target = path?.startsWith('/') ? path : `${route.path}${path ?? ''}`;
    const response = await supertest(api.url)[route.method](target).set(headers).send(body);
    expect(response.status).toBeLessThan(500);
    sent += `${target} ${JSON.stringify(body)}`;
    const known = idsOf(victim).filter((id) => sent.includes(id));
    const received = known.reduce(
      (text, id) => text.replaceAll(id, ''),
      `${response.text} ${JSON.stringify(response.headers)}`,
    );
    const secrets = [`of-${victimName}`, victim.email, ...idsOf(victim)];
    expect({ name, leaked: secrets.filter((secret) => received.includes(secret)) }).toEqual({
      name,
      leaked: [],
    });
  }
  return [...new Set(attempts.map(([name]) => name))];
};

test.each(['1', '2'])(
  'R11: of two mailboxes of one owner, a request for the other than %s reads and changes nothing of it',
  async (number) => {
    const [victimName, other] = number === '1' ? (['edith', '2'] as const) : (['work', '1'] as const);
    const headers = { cookie: people.edith.client.cookie, 'mailsweep-mailbox': other };
    const victim = people[victimName];
    const before = await readState(victim);
    // The session is of both, and the audit trail of each names the other.
    const secrets = { ...victim, sessionId: victim.userId, email: `of-${victimName}@example.com` };
    people = { ...people, [victimName]: secrets };
    const attempts = attemptsOn(secrets).filter(([name]) => !OF_THE_OWNER.has(name));

    await attack(victimName, headers, attempts);

    expect(await readState(victim)).toEqual(before);
    people = { ...people, [victimName]: victim };
  },
);

describe.each(
  PAIRS.flatMap(([victim, attacker]) => [
    { victimName: victim, attackerName: attacker, credential: 'cookie' as const },
    { victimName: victim, attackerName: attacker, credential: 'token' as const },
  ]),
)('R11: with the ids of $victimName, $attackerName and their $credential', (pair) => {
  const { victimName, attackerName, credential } = pair;
  const headerOf = ({ client, program }: Victim) =>
    credential === 'cookie' ? { cookie: client.cookie } : { authorization: program.authorization };
  const clientOf = ({ client, program }: Victim) => (credential === 'cookie' ? client : program);

  test('reads not one byte and changes nothing, on any route', async () => {
    const victim = people[victimName];
    const before = await readState(victim);
    const tried = await attack(victimName, headerOf(people[attackerName]), attemptsOn(victim));

    expect(tried.toSorted()).toEqual(Object.keys(ROUTES).toSorted());
    expect(await readState(victim)).toEqual(before);
  });

  test('reaches no other mailbox by its number', async () => {
    for (const number of ['1', '2', '3']) {
      const response = await supertest(api.url)
        .get('/api/v1/me')
        .set(headerOf(people[attackerName]))
        .set('mailsweep-mailbox', number);
      if (response.status === 200) expect(response.body.email).toBe(EMAILS[attackerName]);
      else expect(response.body).toMatchObject({ status: 403, code: 'mailbox_not_reachable' });
    }
  });

  test('gets for foreign emails and records the response for unknown ones', async () => {
    const victim = people[victimName];
    const attacker = clientOf(people[attackerName]);
    const action = await attacker.post('/api/v1/inbox/actions', {
      emailIds: victim.emailIds,
      action: 'delete',
    });
    expect(action.body.results).toEqual(
      victim.emailIds.map((emailId) => ({ emailId, status: 'error', reason: 'not_found' })),
    );

    const undo = await attacker.post('/api/v1/notifications/history/undo', { ids: victim.recordIds });
    expect(undo.body.results).toEqual(
      victim.recordIds.map((id) => ({ id, status: 'error', reason: 'not_found' })),
    );
    await attacker.post(`/api/v1/notifications/history/${victim.recordIds[0]}/undo`).expect(404);
    const status = credential === 'cookie' ? 404 : 403;
    await attacker.delete(`/api/v1/me/sessions/${victim.sessionId}`).expect(status);
    await attacker.delete(`/api/v1/me/tokens/${victim.tokenId}`).expect(status);
    await attacker.patch(`/api/v1/me/tokens/${victim.tokenId}`, { name: 'mine' }).expect(status);
  });

  test('is counted and listed for itself alone', async () => {
    const { userId } = people[attackerName];
    const attacker = clientOf(people[attackerName]);
    const events = await attacker.get('/api/v1/notifications/events').expect(200);
    const summary = await attacker.get('/api/v1/notifications/summary').expect(200);
    const history = await attacker.get('/api/v1/notifications/history?perPage=100').expect(200);

    expect(new Set(events.body.data.map((event: { userId: string }) => event.userId))).toEqual(
      new Set([userId]),
    );
    expect(summary.body.totalEvents).toBe(1);
    expect(new Set(history.body.data.map((record: { userId: string }) => record.userId))).toEqual(
      new Set([userId]),
    );
  });
});

interface Victim {
  email: string;
  userId: string;
  emailIds: string[];
  recordIds: string[];
  batchId: string;
  scanId: string;
  cleanupId: string;
  ruleId: string;
  sessionId: string;
  senderId: string;
  pushId: string;
  tokenId: string;
  authorizationId: string;
  client: ApiClient;
  program: Awaited<ReturnType<typeof createProgram>>;
}

const idsOf = (victim: Victim): string[] => [
  victim.userId,
  victim.scanId,
  victim.cleanupId,
  victim.ruleId,
  victim.sessionId,
  victim.batchId,
  victim.senderId,
  victim.pushId,
  victim.tokenId,
  victim.authorizationId,
  ...victim.emailIds,
  ...victim.recordIds,
];

/** Everything there is of a user: their rows, and the labels of their email. */
const readState = async (victim: Victim) => {
  const tables = [
    'ActionBatch',
    'ActionHistory',
    'ActionIntent',
    'AuditEntry',
    'AuthorizationRequest',
    'Cleanup',
    'CleanupEmail',
    'EmailSuggestion',
    'MailboxWatch',
    'MailboxScan',
    'NotificationEvent',
    'OutboxEvent',
    'PersonalToken',
    'Protection',
    'ProviderConnection',
    'PushSubscription',
    'Rule',
    'Session',
    'Unsubscribe',
    'UserPreferences',
  ];
  const rows = await Promise.all(
    tables.map((table) =>
      api.testDatabase.query(`SELECT t::text FROM "${table}" t WHERE "userId" = $1 ORDER BY 1`, [
        victim.userId,
      ]),
    ),
  );
  const labels = await Promise.all(victim.emailIds.map((id) => api.google.labelsOf(id, victim.email)));
  return { rows, labels };
};

const mailOf = (name: Name) =>
  ['1', '2', '3'].map((number) => ({
    id: `${number}-of-${name}`,
    from: `Shop <shop-of-${name}@shop.example>`,
    subject: `Subject-of-${name}`,
    text: `Text-of-${name}`,
    headers: [{ name: 'List-Unsubscribe', value: `<mailto:list-of-${name}@shop.example>` }],
  }));

const prepareVictim = async (name: Name): Promise<Victim> => {
  const client = await api.signIn(EMAILS[name]);
  const { userId } = client;
  const program = await createProgram(api.url, client);
  await client.get('/api/v1/suggestions').expect(200);
  await client
    .post('/api/v1/notifications/confirm', { emailIds: [`1-of-${name}`], action: 'accept' })
    .expect(200);
  await client.post('/api/v1/inbox/actions', { emailIds: [`2-of-${name}`], action: 'archive' }).expect(200);
  await insertNotificationEvent(api.testDatabase.query, {
    userId,
    type: DOMAIN_EVENTS.SUGGESTION_CONFIRMED,
    summary: { totalConfirmed: 1, action: 'accept', note: `event-of-${name}` },
  });
  const { data } = (await client.get('/api/v1/notifications/history')).body;
  const recordIds = data.map((record: { id: string }) => record.id);
  // Brings back what is cached, in case it was dropped.
  await client.get('/api/v1/emails').expect(200);
  const { body: senders } = await client.get('/api/v1/senders').expect(200);
  const senderId = senders.data[0].id;
  await client.put(`/api/v1/protections/${senderId}`).expect(200);
  await client.post(`/api/v1/senders/${senderId}/unsubscribe`).expect(200);
  const push = toPushSubscription(`browser-of-${name}`);
  await client.post('/api/v1/push/subscriptions', push).expect(200);
  const { body: scan } = await client.post('/api/v1/scans').expect(202);
  await client.patch('/api/v1/me/preferences', { watch: { enabled: true } }).expect(200);
  const { body: cleanup } = await client
    .post('/api/v1/cleanups', { action: 'archive', selection: { type: 'filter' } })
    .expect(200);
  const { body: rule } = await client
    .post('/api/v1/rules', {
      condition: { type: 'sender', sender: senderId },
      olderThan: 0,
      action: 'delete',
      enabled: true,
    })
    .expect(200);
  return {
    email: EMAILS[name],
    userId,
    emailIds: mailOf(name).map(({ id }) => id),
    recordIds,
    batchId: data[0].batchId,
    senderId,
    scanId: scan.id,
    cleanupId: cleanup.id,
    ruleId: rule.id,
    pushId: createHash('sha256').update(push.endpoint).digest('hex'),
    sessionId: await nameSession(userId, `browser-of-${name}`),
    tokenId: await nameToken(program.id, `token-of-${name}`),
    authorizationId: (await createOAuthProgram(api.url).ask(client)).split('/').at(-1) ?? '',
    program,
    client,
  };
};

/** Gives the user's one session a name that nobody else may read; returns its id. */
const nameSession = async (userId: string, browser: string): Promise<string> => {
  await api.testDatabase.query('UPDATE "AuditEntry" SET "browser" = $2 WHERE "userId" = $1', [
    userId,
    browser,
  ]);
  const [session] = await api.testDatabase.query<{ id: string }>(
    'UPDATE "Session" SET "browser" = $2 WHERE "userId" = $1 RETURNING "id"',
    [userId, browser],
  );
  return session?.id ?? '';
};

/** Gives a token a name that nobody else may read. */
const nameToken = async (id: string, name: string): Promise<string> => {
  await api.testDatabase.query(
    'UPDATE "PersonalToken" SET "name" = $2, "lastUsedAt" = now() WHERE "id" = $1',
    [id, name],
  );
  return id;
};

let api: ApiHarness;
let people: Record<Name, Victim>;
beforeAll(async () => {
  api = await startApi({
    mail: Object.fromEntries((Object.keys(EMAILS) as Name[]).map((name) => [EMAILS[name], mailOf(name)])),
    env: { SUGGESTIONS_PUBLISH_THRESHOLD: '1', VAPID_PUBLIC_KEY: createPublicKey() },
  });
  api.ml.behave(
    respondWithSuggestions([{ action: 'archive', classification: 'bulk', confidence_score: 0.9 }]),
  );
  people = {
    ada: await prepareVictim('ada'),
    grace: await prepareVictim('grace'),
    work: await prepareVictim('work'),
    edith: await prepareVictim('edith'),
  };
  const browser = openBrowser(api.url);
  for (const pair of people.edith.client.cookie.split('; ')) {
    const [name = '', value = ''] = pair.split('=');
    browser.cookies.set(name, value);
  }
  expect(await browser.addMailbox(EMAILS.work)).toMatch(/\?mailbox=2$/);
  // The relay marks what it has published; only then do the rows stand still.
  const listUnpublished = () =>
    api.testDatabase.query('SELECT FROM "OutboxEvent" WHERE "publishedAt" IS NULL');
  await vi.waitFor(async () => expect(await listUnpublished()).toEqual([]), { timeout: 10_000 });
});
afterAll(() => api.close());

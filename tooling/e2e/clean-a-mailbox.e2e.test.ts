import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type ActionHistoryRecord,
  ConfirmResponseSchema,
  DOMAIN_EVENTS,
  InboxActionResponseSchema,
  ListActionHistoryResponseSchema,
  ListEmailsResponseSchema,
  ListNotificationEventsResponseSchema,
  ListSuggestionsResponseSchema,
  NotificationSummarySchema,
  type Scan,
  UndoResponseSchema,
} from '@mailsweep/contracts';
import got from 'got';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiSession, signIn } from './src/api-session.ts';
import { type LocalStack, startLocalStack } from './src/local-stack.ts';

const USER = 'ada@example.com';

describe('a user cleans their mailbox', () => {
  test('signing in ends at the front end’s callback page and nowhere else', () => {
    expect(landedAt).toBe(`${stack.web}/auth/callback`);
  });

  test('the inbox is listed page by page, and no email stands on two pages', async () => {
    const first = ListEmailsResponseSchema.parse(await user.get('api/v1/emails?pageSize=40'));
    const second = ListEmailsResponseSchema.parse(
      await user.get(`api/v1/emails?pageSize=40&pageToken=${first.nextPageToken}`),
    );

    const ids = [...first.emails, ...second.emails].map((email) => email.id);
    expect(ids).toHaveLength(80);
    expect(new Set(ids).size).toBe(80);
    expect(first.total).toBeGreaterThan(80);
  });

  test('every filter holds for every email it lists', async () => {
    const { emails } = ListEmailsResponseSchema.parse(
      await user.get('api/v1/emails?category=promotions&unread=true&olderThan=60'),
    );
    const large = ListEmailsResponseSchema.parse(await user.get('api/v1/emails?minAttachmentSize=5'));

    expect(emails.length).toBeGreaterThan(0);
    const sixtyDaysAgo = Date.now() - 60 * 86_400_000;
    for (const email of emails) {
      expect(email).toMatchObject({ category: 'promotions', isRead: false });
      expect(Date.parse(email.date)).toBeLessThan(sixtyDaysAgo);
    }
    expect(large.emails.length).toBeGreaterThan(0);
    for (const email of large.emails) expect(email.attachmentSizeMb).toBeGreaterThan(5);
  });

  test('suggestions come from the classification service, and enough of them reach the workflow service', async () => {
    const response = ListSuggestionsResponseSchema.parse(await user.get('api/v1/suggestions?pageSize=100'));
    const total = response.emails.flatMap((email) => email.suggestions).length;

    expect(response.classified).toBe(true);
    expect(total).toBeGreaterThanOrEqual(10);
    await expect.poll(listWebhookCalls, { timeout: 15_000 }).toContainEqual(
      expect.objectContaining({
        signature: 'verified',
        body: expect.objectContaining({ type: DOMAIN_EVENTS.SUGGESTIONS_GENERATED }),
      }),
    );
    const event = await expectEvent(DOMAIN_EVENTS.SUGGESTIONS_GENERATED);
    expect(event.summary).toMatchObject({ totalSuggestions: total });
  });

  test('accepting suggestions changes the mailbox, the history and the timeline', async () => {
    const { emails } = ListSuggestionsResponseSchema.parse(await user.get('api/v1/suggestions?pageSize=100'));
    const chosen = emails.filter((email) => email.suggestions[0]?.action === 'archive').slice(0, 3);
    const emailIds = chosen.map((email) => email.id);

    const response = ConfirmResponseSchema.parse(
      await user.post('api/v1/notifications/confirm', { emailIds, action: 'accept' }),
    );

    expect(response).toMatchObject({
      success: true,
      processed: 3,
      emailIds,
      action: 'accept',
      execution: 'full',
    });
    expect(await listInboxIds()).not.toEqual(expect.arrayContaining([emailIds[0]]));
    const history = await listHistory();
    expect(
      history
        .slice(0, 3)
        .map((record) => record.emailId)
        .toSorted(),
    ).toEqual(emailIds.toSorted());
    expect(history[0]).toMatchObject({ action: 'accept', details: { source: 'suggestions' } });
    const event = await expectEvent(DOMAIN_EVENTS.SUGGESTION_CONFIRMED);
    expect(event.summary).toEqual({ totalConfirmed: 3, action: 'accept' });
  });

  test('an inbox action names the ids it could not find, and undo brings the others back', async () => {
    const [first, second] = await listInboxIds();
    const response = InboxActionResponseSchema.parse(
      await user.post('api/v1/inbox/actions', { emailIds: [first, 'missing', second], action: 'delete' }),
    );
    expect(response).toMatchObject({ execution: 'partial', summary: { total: 3, processed: 2, failed: 1 } });
    expect(response.results[1]).toEqual({ emailId: 'missing', status: 'error', reason: 'not_found' });
    expect(await listInboxIds()).not.toContain(first);

    const ids = (await listHistory())
      .filter((record) => record.action === 'delete')
      .map((record) => record.id);
    const undone = UndoResponseSchema.parse(await user.post('api/v1/notifications/history/undo', { ids }));

    expect(undone.execution).toBe('full');
    expect(await listInboxIds()).toEqual(expect.arrayContaining([first, second]));
    expect((await listHistory()).find((record) => record.id === ids[0])?.undoneAt).not.toBeNull();
  });

  test('the daily summary counts what happened', async () => {
    const summary = NotificationSummarySchema.parse(
      await user.get('api/v1/notifications/summary?period=daily'),
    );

    expect(summary.totalConfirmed).toBe(3);
    expect(summary.confirmedActions).toEqual({ accept: 3 });
    expect(Date.parse(summary.windowEnd ?? '') - Date.parse(summary.windowStart ?? '')).toBe(86_400_000);
  });

  test('the whole mailbox is scanned within seconds, and a restart keeps all of it', async () => {
    const scan = await user.post<Scan>('api/v1/scans', { scope: 'all' });
    const readScan = async () => (await user.get<Scan>(`api/v1/scans/${scan.id}`)).state;
    await expect.poll(readScan, { timeout: 60_000 }).toBe('completed');
    const before = await readOverview();
    expect(before).toMatchObject({ senders: { complete: true }, records: expect.any(Array) });

    stack = await stack.restart();
    ({ session: user } = await signIn(stack.api, USER));
    // Reads what happened in the mailbox meanwhile.
    await user.get('api/v1/emails?pageSize=100');
    expect(await readOverview()).toEqual(before);
    expect(readFileSync(join(stack.home, 'logs', 'api.log'), 'utf8')).not.toContain('rebuilding the cache');
  });
});

const readOverview = async () => ({
  senders: await user.get('api/v1/senders?perPage=100'),
  suggestions: await user.get('api/v1/suggestions/stored?perPage=100'),
  inbox: await listInboxIds(),
  records: await listHistory(),
});

const listInboxIds = async (): Promise<string[]> =>
  ListEmailsResponseSchema.parse(await user.get('api/v1/emails?pageSize=100')).emails.map(
    (email) => email.id,
  );

const listHistory = async (): Promise<ActionHistoryRecord[]> =>
  ListActionHistoryResponseSchema.parse(await user.get('api/v1/notifications/history?perPage=100')).data;

const listWebhookCalls = (): Promise<{ signature: string; body: unknown }[]> =>
  got(`${stack.webhookInbox}/deliveries`).json();

const listEvents = async (type: string) =>
  ListNotificationEventsResponseSchema.parse(await user.get(`api/v1/notifications/events?type=${type}`)).data;

/** Waits for the newest stored event of a type. */
const expectEvent = async (type: string) => {
  await expect.poll(async () => (await listEvents(type)).length, { timeout: 15_000 }).toBeGreaterThan(0);
  const [event] = await listEvents(type);
  if (event === undefined) throw new Error(`no ${type}`);
  return event;
};

let stack: LocalStack;
let user: ApiSession;
let landedAt: string;
beforeAll(async () => {
  // A stack of its own: it is restarted.
  stack = await startLocalStack();
  ({ landedAt, session: user } = await signIn(stack.api, USER));
});
afterAll(async () => {
  expect(await stack?.stop()).toBe(0);
});

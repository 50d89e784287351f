import { DEFAULT_NOTIFICATIONS, DEFAULT_PREFERENCES, PreferencesSchema } from '@mailsweep/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiClient, type ApiHarness, FRONTEND_ORIGIN, startApi } from '../../testing/api-harness.ts';

const PREFERENCES = '/api/v1/me/preferences';
const DEFAULTS = DEFAULT_PREFERENCES;

describe('preferences', () => {
  test('have everything off that Mailsweep could do on its own, until the user enables it', async () => {
    const { body } = await ada.get(PREFERENCES).expect(200);
    expect(body).toEqual(DEFAULTS);
    expect(PreferencesSchema.parse(body)).toEqual(body);
  });

  test('say whether the operator forwards notifications, which nobody can choose', async () => {
    const { body } = await ada.get(PREFERENCES).expect(200);
    expect(body.webhookAvailable).toBe(false);
    const { body: problem } = await ada.patch(PREFERENCES, { webhookAvailable: true }).expect(400);
    expect(problem.errors).toMatchObject([{ path: 'webhookAvailable' }]);
  });

  test('change where the request says so, and nowhere else', async () => {
    const enabled = await ada.patch(PREFERENCES, { watch: { enabled: true } }).expect(200);
    expect(enabled.body).toEqual({ ...DEFAULTS, watch: { enabled: true, everyMinutes: 15 } });
    await ada.patch(PREFERENCES, { watch: { everyMinutes: 60 } }).expect(200);
    await ada.patch(PREFERENCES, { timeZone: 'Europe/Berlin' }).expect(200);
    await ada.patch(PREFERENCES, {}).expect(200);

    const expected = { ...DEFAULTS, watch: { enabled: true, everyMinutes: 60 }, timeZone: 'Europe/Berlin' };
    expect((await ada.get(PREFERENCES).expect(200)).body).toEqual(expected);
    const { body } = await ada.patch(PREFERENCES, { timeZone: null }).expect(200);
    expect(body).toEqual({ ...expected, timeZone: null });
  });

  test.each([
    ['an unknown field', { digest: true }, 'digest'],
    ['an unknown field of a group', { watch: { enabled: true, force: true } }, 'watch.force'],
    ['a word for a boolean', { watch: { enabled: 'true' } }, 'watch.enabled'],
    ['nothing for a boolean', { watch: { enabled: null } }, 'watch.enabled'],
    ['another interval', { watch: { everyMinutes: 1 } }, 'watch.everyMinutes'],
    ['an interval in words', { watch: { everyMinutes: '15' } }, 'watch.everyMinutes'],
    ['a place that is no time zone', { timeZone: 'Europe/Atlantis' }, 'timeZone'],
    ['an offset', { timeZone: '+01:00' }, 'timeZone'],
    ['no name', { timeZone: '' }, 'timeZone'],
    ['an unknown kind', { notifications: { news: { push: true } } }, 'notifications.news'],
    ['an unknown channel', { notifications: { alert: { sms: true } } }, 'notifications.alert.sms'],
    [
      'a confidence above one',
      { notifications: { alert: { minConfidence: 7 } } },
      'notifications.alert.minConfidence',
    ],
    [
      'another interval of digests',
      { notifications: { digest: { every: 'hourly' } } },
      'notifications.digest.every',
    ],
    ['an hour that no day has', { notifications: { digest: { hour: 24 } } }, 'notifications.digest.hour'],
    ['half an hour', { notifications: { digest: { hour: 7.5 } } }, 'notifications.digest.hour'],
    ['an eighth day', { notifications: { digest: { weekday: 8 } } }, 'notifications.digest.weekday'],
    [
      'a time that no clock shows',
      { notifications: { quietHours: { from: '24:00', to: '07:00' } } },
      'notifications.quietHours.from',
    ],
    [
      'quiet hours without an end',
      { notifications: { quietHours: { from: '22:00' } } },
      'notifications.quietHours.to',
    ],
    [
      'quiet hours that never end',
      { notifications: { quietHours: { from: '07:00', to: '07:00' } } },
      'notifications.quietHours.to',
    ],
    ['a retention of a day', { historyRetentionDays: 1 }, 'historyRetentionDays'],
    ['a retention in words', { historyRetentionDays: '365' }, 'historyRetentionDays'],
    ['labels without names', { labelNames: ['Receipts'] }, 'labelNames'],
    ['no name of a label', { labelNames: { receipt: ' ' } }, 'labelNames.receipt'],
    ['a name that is no text', { labelNames: { receipt: 7 } }, 'labelNames.receipt'],
    ['a name of 226 characters', { labelNames: { receipt: 'x'.repeat(226) } }, 'labelNames.receipt'],
    ['an empty part of a name', { labelNames: { receipt: 'Work//Receipts' } }, 'labelNames.receipt'],
    ['a slash at the end of a name', { labelNames: { receipt: 'Work/' } }, 'labelNames.receipt'],
    ['a label of Gmail', { labelNames: { receipt: 'inbox' } }, 'labelNames.receipt'],
    ['a category of Gmail', { labelNames: { receipt: 'CATEGORY_UPDATES' } }, 'labelNames.receipt'],
    ['a label below one of Gmail', { labelNames: { receipt: '[Gmail]/Receipts' } }, 'labelNames.receipt'],
    ['a default name', { labelNames: { receipt: 'mailsweep/bulk' } }, 'labelNames.receipt'],
    ['control characters in a name', { labelNames: { receipt: 'a\u202eb' } }, 'labelNames.receipt'],
    ['a classification without characters', { labelNames: { '': 'Receipts' } }, 'labelNames.'],
    [
      'names that differ only in case',
      { labelNames: { receipt: 'Papers', large_attachment: 'PAPERS' } },
      'labelNames.large_attachment',
    ],
    [
      'names that differ only in what separates their words',
      { labelNames: { receipt: 'Old papers', large_attachment: 'old/papers' } },
      'labelNames.large_attachment',
    ],
    ['other content', { notifications: { content: 'snippet' } }, 'notifications.content'],
  ])('refuse %s, and name the field', async (_name, body, path) => {
    const response = await ada.patch(PREFERENCES, { timeZone: 'Asia/Tokyo', ...body }).expect(400);
    expect(response.body).toMatchObject({ code: 'validation_failed', errors: [{ path }] });
    expect((await ada.get(PREFERENCES)).body).toEqual(DEFAULTS);
  });

  test('keep what was chosen of notifications, and schedule the digest in the time zone of the user', async () => {
    const digest = { every: 'daily', push: true, hour: 7 };
    await ada.patch(PREFERENCES, { timeZone: 'Asia/Tokyo', notifications: { digest } }).expect(200);
    const quietHours = { from: '22:00', to: '06:30' };
    await ada.patch(PREFERENCES, { notifications: { quietHours, alert: { push: true } } }).expect(200);

    const { body } = await ada.get(PREFERENCES).expect(200);
    expect(body.notifications).toEqual({
      ...DEFAULT_NOTIFICATIONS,
      alert: { ...DEFAULT_NOTIFICATIONS.alert, push: true },
      digest: { ...DEFAULT_NOTIFICATIONS.digest, ...digest },
      quietHours,
    });
    const readDueAt = async () =>
      (await api.testDatabase.query<{ digestDueAt: Date | null }>('SELECT * FROM "UserPreferences"'))[0]
        ?.digestDueAt;
    // Seven o’clock in Tokyo, which has no summer time.
    expect((await readDueAt())?.toISOString()).toMatch(/T22:00:00\.000Z$/);
    await ada.patch(PREFERENCES, { timeZone: null }).expect(200);
    expect((await readDueAt())?.toISOString()).toMatch(/T07:00:00\.000Z$/);
    await ada
      .patch(PREFERENCES, { notifications: { digest: { every: 'off' }, quietHours: null } })
      .expect(200);
    expect(await readDueAt()).toBeNull();
  });

  test('keep names of labels until they are taken back, and refuse one that another classification has', async () => {
    const names = { receipt: ' Papers/Receipts ', large_attachment: 'Large', bulk: 'x'.repeat(225) };
    await ada.patch(PREFERENCES, { labelNames: names, historyRetentionDays: 365 }).expect(200);
    const refused = await ada.patch(PREFERENCES, { labelNames: { travel: 'LARGE' } }).expect(400);
    expect(refused.body).toMatchObject({
      code: 'validation_failed',
      errors: [{ path: 'labelNames.travel', message: 'must differ from the name for large_attachment' }],
    });
    const swapped = { large_attachment: null, travel: 'LARGE', bulk: null };
    const { body } = await ada.patch(PREFERENCES, { labelNames: swapped }).expect(200);
    expect(body).toEqual({
      ...DEFAULTS,
      historyRetentionDays: 365,
      labelNames: { receipt: 'Papers/Receipts', travel: 'LARGE' },
    });
    const many = Object.fromEntries(Array.from({ length: 49 }, (_, index) => [`c${index}`, `Name ${index}`]));
    await ada.patch(PREFERENCES, { labelNames: many }).expect(400);
    const { body: exported } = await ada.get('/api/v1/me/export').expect(200);
    expect(exported.data.UserPreferences).toMatchObject([
      { historyRetentionDays: 365, labelNames: { receipt: 'Papers/Receipts', travel: 'LARGE' } },
    ]);
    await ada.patch(PREFERENCES, { labelNames: { receipt: null, travel: null }, historyRetentionDays: null });
    expect((await ada.get(PREFERENCES)).body).toEqual(DEFAULTS);
  });

  test('can be changed by the web app of another origin', async () => {
    const { headers } = await ada
      .options(PREFERENCES)
      .set({ origin: FRONTEND_ORIGIN, 'access-control-request-method': 'PATCH' })
      .expect(204);
    expect(headers['access-control-allow-methods']).toContain('PATCH');
  });

  test('are part of the export, and list in the audit trail when the watch was enabled or disabled', async () => {
    await ada.patch(PREFERENCES, { watch: { enabled: true } }).expect(200);
    await ada.patch(PREFERENCES, { watch: { enabled: true, everyMinutes: 30 } }).expect(200);
    await ada.patch(PREFERENCES, { watch: { enabled: false } }).expect(200);

    const { body: audit } = await ada.get('/api/v1/me/audit').expect(200);
    expect(audit.data.map(({ event }: { event: string }) => event)).toEqual([
      'watch_disabled',
      'watch_enabled',
      'signed_in',
    ]);
    const { body } = await ada.get('/api/v1/me/export').expect(200);
    expect(body.data.UserPreferences).toMatchObject([{ watchEnabled: false, watchEveryMinutes: 30 }]);
  });
});

let api: ApiHarness;
let ada: ApiClient;
beforeAll(async () => {
  api = await startApi();
});
beforeEach(async () => {
  await api.testDatabase.query('DELETE FROM "UserPreferences"');
  await api.testDatabase.query('DELETE FROM "AuditEntry"');
  ada = await api.signIn();
});
afterAll(() => api.close());

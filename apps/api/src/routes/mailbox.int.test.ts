import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiClient, type ApiHarness, startApi } from '../testing/api-harness.ts';

describe('GET /api/v1/emails', () => {
  test('lists the inbox, newest first, with exactly the fields of an email', async () => {
    const answer = await ada.get('/api/v1/emails').expect(200);

    expect(answer.body.nextPageToken).toBeNull();
    expect(answer.body.total).toBe(answer.body.emails.length);
    expect(answer.body.emails[0]).toEqual({
      id: 'new',
      from: 'News <news@shop.example>',
      subject: 'Sale 🎉',
      date: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      labels: expect.arrayContaining(['INBOX', 'UNREAD']),
      isRead: false,
      attachmentSizeMb: 0,
      category: 'promotions',
      snippet: expect.any(String),
      hasAttachment: false,
      size: expect.any(Number),
    });
  });

  test('unread=true leaves read emails out, and unread=false leaves none out', async () => {
    const unread = await ada.get('/api/v1/emails?unread=true').expect(200);
    const all = await ada.get('/api/v1/emails?unread=false').expect(200);

    expect(unread.body.emails.map((email: { id: string }) => email.id)).not.toContain('read');
    expect(all.body.emails.map((email: { id: string }) => email.id)).toContain('read');
  });

  test.each([
    ['unread', 'yes'],
    ['olderThan', '0x10'],
    ['olderThan', '1.5'],
    ['olderThan', '-1'],
    ['category', 'spam'],
    ['minAttachmentSize', '7.0'],
    ['pageSize', '0'],
    ['pageSize', '101'],
    ['sort', 'asc'],
  ])('%s=%s is answered 400 with the field named', async (field, value) => {
    const answer = await ada.get('/api/v1/emails').query({ [field]: value }).expect(400);

    expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(answer.body).toMatchObject({ status: 400, code: 'validation_failed', instance: '/api/v1/emails' });
    expect(answer.body.errors[0].path).toBe(field);
  });
});

const messages = [
  { id: 'new', subject: 'Sale 🎉', ageDays: 1 },
  { id: 'read', labelIds: ['INBOX', 'CATEGORY_SOCIAL'], ageDays: 2 },
  { id: 'old', labelIds: ['INBOX', 'UNREAD'], ageDays: 90 },
];
let api: ApiHarness;
let ada: ApiClient;
beforeAll(async () => {
  api = await startApi({ mail: { 'ada@example.com': messages } });
  ada = await api.signIn();
});
beforeEach(() => api.google.heal());
afterAll(() => api.close());

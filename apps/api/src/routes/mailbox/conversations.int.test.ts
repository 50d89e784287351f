import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiClient, type ApiHarness, startApi } from '../../testing/api-harness.ts';

describe('GET /api/v1/conversations/{threadId}', () => {
  test('lists what of the conversation is in the inbox, and acting on it and undoing covers all of it', async () => {
    const conversation = await ada.get('/api/v1/conversations/thread-talk').expect(200);

    expect(conversation.body).toMatchObject({ threadId: 'thread-talk', otherMessages: 1 });
    expect(toIds(conversation)).toEqual(['reply', 'talk']);

    const emailIds = toIds(conversation);
    const action = await ada.post('/api/v1/inbox/actions', { emailIds, action: 'archive' }).expect(200);
    const after = await ada.get('/api/v1/conversations/thread-talk').expect(200);
    expect(after.body).toMatchObject({ emails: [], otherMessages: 3 });

    const ids = action.body.results.map(({ recordId }: { recordId: string }) => recordId);
    await ada.post('/api/v1/notifications/history/undo', { ids }).expect(200);
    expect(toIds(await ada.get('/api/v1/conversations/thread-talk'))).toEqual(emailIds);
  });

  test.each([
    ['gone', 404, 'not_found'],
    ['a%2Fb', 400, 'validation_failed'],
  ])('%s gets %i %s', async (threadId, status, code) => {
    expect((await ada.get(`/api/v1/conversations/${threadId}`).expect(status)).body.code).toBe(code);
  });
});

const TALK = { threadId: 'thread-talk' };
const MESSAGES = [
  { ...TALK, id: 'talk', ageDays: 4 },
  { ...TALK, id: 'answer', labelIds: ['SENT'], ageDays: 3 },
  { ...TALK, id: 'reply', ageDays: 2 },
  { ...TALK, id: 'draft', labelIds: ['DRAFT'], ageDays: 1 },
  { id: 'stranger' },
];

const toIds = (response: { body: { emails: { id: string }[] } }) =>
  response.body.emails.map((email) => email.id);

let api: ApiHarness;
let ada: ApiClient;
beforeAll(async () => {
  api = await startApi({ mail: { 'ada@example.com': MESSAGES } });
  ada = await api.signIn();
});
afterAll(() => api.close());

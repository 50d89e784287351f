import { DOMAIN_EVENTS, type Suggestion, SuggestionsGeneratedEventSchema } from '@mailsweep/contracts';
import { respondWithSuggestions } from '@mailsweep/ml-client/testing';
import jwt from 'jsonwebtoken';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiClient, type ApiHarness, startApi } from '../../testing/api-harness.ts';

const BULK: Suggestion = { action: 'archive', classification: 'bulk', confidence_score: 0.7 };
const OLD: Suggestion = {
  action: 'delete',
  classification: 'promotions_old',
  confidence_score: 0.9,
  id: 's-1',
};

describe('GET /api/v1/suggestions', () => {
  test('lists recent emails with their suggestions, the surest first', async () => {
    api.ml.behave(respondWithSuggestions(({ id }) => (id === 'one' ? [BULK, OLD] : [])));
    const response = await ada.get('/api/v1/suggestions').expect(200);

    expect(response.body).toMatchObject({ classified: true, nextPageToken: null });
    expect(response.body.emails).toEqual([
      {
        id: 'one',
        from: 'News <news@shop.example>',
        subject: 'Subject of one',
        date: expect.stringMatching(/Z$/),
        isRead: false,
        category: 'promotions',
        attachmentSizeMb: 0,
        suggestions: [OLD, BULK],
      },
      expect.objectContaining({ id: 'two', suggestions: [] }),
      expect.objectContaining({ id: 'three', isRead: true, category: 'social', suggestions: [] }),
    ]);
  });

  test('sends the classification service the seven metadata fields of each email, and nothing else', async () => {
    await ada.get('/api/v1/suggestions').expect(200);

    const [request] = api.ml.calls;
    expect(request?.headers['content-type']).toMatch(/^application\/json/);
    expect(request?.items.map((item) => item.id)).toEqual(['one', 'two', 'three']);
    expect(request?.items[0]).toEqual({
      id: 'one',
      from: 'News <news@shop.example>',
      subject: 'Subject of one',
      date: expect.stringMatching(/Z$/),
      isRead: false,
      category: 'promotions',
      attachmentSizeMb: 0,
    });
  });

  test('proves itself to the classification service with a short-lived token that names no user’s address', async () => {
    await ada.get('/api/v1/suggestions').expect(200);

    const token = (api.ml.calls[0]?.headers.authorization ?? '').replace('Bearer ', '');
    const claims = jwt.verify(token, api.env.INTERNAL_JWT_SECRET, {
      algorithms: ['HS256'],
    }) as jwt.JwtPayload;
    expect(claims).toEqual({
      iss: 'mailsweep-api',
      aud: 'ml',
      sub: ada.userId,
      iat: expect.any(Number),
      exp: (claims.iat ?? 0) + 60,
    });
  });

  test('works without INTERNAL_JWT_SECRET: the secret is then derived, and is not the session’s', async () => {
    const replica = await api.startReplica({ INTERNAL_JWT_SECRET: '' });
    await fetch(`${replica.url}/api/v1/suggestions`, { headers: { cookie: ada.cookie } });

    const token = (api.ml.calls[0]?.headers.authorization ?? '').replace('Bearer ', '');
    expect(jwt.decode(token)).toMatchObject({ aud: 'ml' });
    await fetch(`${replica.url}/api/v1/me`, { headers: { authorization: `Bearer ${token}` } }).then(
      (response) => expect(response.status).toBe(401),
    );
  });

  test('does not ask the classification service about an empty mailbox', async () => {
    const grace = await api.signIn('grace@example.com');
    const response = await grace.get('/api/v1/suggestions').expect(200);

    expect(response.body).toEqual({ emails: [], classified: true, nextPageToken: null });
    expect(api.ml.calls).toEqual([]);
  });

  test('changes nothing in the mailbox', async () => {
    api.ml.behave(respondWithSuggestions([OLD]));
    await ada.get('/api/v1/suggestions').expect(200);

    expect(api.google.calls.filter(({ method }) => method === 'POST')).toEqual([]);
  });
});

describe('the event domain.suggestions.generated', () => {
  test('is published when the suggestions are exactly as many as the threshold', async () => {
    const replica = await startWithThreshold(3);
    api.ml.behave(
      respondWithSuggestions(({ id }) => (id === 'one' ? [BULK, OLD] : id === 'two' ? [BULK] : [])),
    );
    await replica.get('/api/v1/suggestions');

    const [event, ...others] = await api.listEvents();
    expect(others).toEqual([]);
    const one = { emailId: 'one', subject: 'Subject of one', suggestions: [OLD, BULK] };
    const two = { emailId: 'two', subject: 'Subject of two', suggestions: [BULK] };
    expect(event).toMatchObject({ type: DOMAIN_EVENTS.SUGGESTIONS_GENERATED, userId: ada.userId });
    expect(event?.payload).toEqual({
      type: 'domain.suggestions.generated',
      userId: ada.userId,
      suggestions: [one, two],
      summary: {
        totalSuggestions: 3,
        actionCounts: { archive: 2, delete: 1 },
        classificationCounts: { bulk: 2, promotions_old: 1 },
        sampledEmails: [one, two],
      },
      generatedAt: expect.stringMatching(/Z$/),
    });
    expect(SuggestionsGeneratedEventSchema.safeParse(event?.payload).success).toBe(true);
  });

  test('is not published below the threshold', async () => {
    const replica = await startWithThreshold(4);
    api.ml.behave(
      respondWithSuggestions(({ id }) => (id === 'one' ? [BULK, OLD] : id === 'two' ? [BULK] : [])),
    );
    await replica.get('/api/v1/suggestions');

    expect(await api.listEvents()).toEqual([]);
  });

  test('is not published for no suggestions at all, even with a threshold of 0', async () => {
    const replica = await startWithThreshold(0);
    api.ml.behave(respondWithSuggestions([]));
    await replica.get('/api/v1/suggestions');

    expect(await api.listEvents()).toEqual([]);
  });

  test('is brought to the queue', async () => {
    const replica = await startWithThreshold(1);
    api.ml.behave(respondWithSuggestions([BULK]));
    await replica.get('/api/v1/suggestions');

    const listUnpublished = () =>
      api.testDatabase.query('SELECT FROM "OutboxEvent" WHERE "publishedAt" IS NULL');
    await expect.poll(listUnpublished).toEqual([]);
    expect(await api.listEvents()).toHaveLength(1);
  });
});

describe('suggestions that the user has confirmed', () => {
  test.each(['accept', 'reject'])('don’t come back after %s', async (action) => {
    api.ml.behave(respondWithSuggestions([BULK]));
    await suggestionsOf('three');
    await ada.post('/api/v1/notifications/confirm', { emailIds: ['three'], action }).expect(200);
    await restoreInbox();

    expect(await suggestionsOf('three')).toEqual([]);
    expect(await suggestionsOf('two')).toEqual([BULK]);
  });

  test('don’t come back however sure the service becomes, while another suggestion does come', async () => {
    api.ml.behave(respondWithSuggestions([BULK]));
    await suggestionsOf('three');
    await ada.post('/api/v1/notifications/confirm', { emailIds: ['three'], action: 'reject' }).expect(200);

    api.ml.behave(respondWithSuggestions([{ ...BULK, confidence_score: 0.99 }, OLD]));
    expect(await suggestionsOf('three')).toEqual([OLD]);
  });

  test('do come back once the response is undone', async () => {
    api.ml.behave(respondWithSuggestions([BULK]));
    await suggestionsOf('three');
    const { body } = await ada.post('/api/v1/notifications/confirm', {
      emailIds: ['three'],
      action: 'reject',
    });
    expect(await suggestionsOf('three')).toEqual([]);

    await ada.post(`/api/v1/notifications/history/${body.data[0].id}/undo`).expect(200);
    expect(await suggestionsOf('three')).toEqual([BULK]);
  });
});

const suggestionsOf = async (id: string): Promise<Suggestion[]> => {
  const response = await ada.get('/api/v1/suggestions').expect(200);
  return response.body.emails.find((email: { id: string }) => email.id === id)?.suggestions;
};

const restoreInbox = () => api.google.changeLabels('three', { added: ['INBOX'] });

const startWithThreshold = async (threshold: number) => {
  const replica = await api.startReplica({ SUGGESTIONS_PUBLISH_THRESHOLD: String(threshold) });
  return { get: (path: string) => fetch(replica.url + path, { headers: { cookie: ada.cookie } }) };
};

let api: ApiHarness;
let ada: ApiClient;
beforeAll(async () => {
  api = await startApi({
    mail: {
      'ada@example.com': [
        { id: 'one', subject: 'Subject of one', ageDays: 1 },
        { id: 'two', subject: 'Subject of two', ageDays: 2 },
        { id: 'three', labelIds: ['INBOX', 'CATEGORY_SOCIAL'], ageDays: 3 },
      ],
    },
  });
  ada = await api.signIn();
});
beforeEach(async () => {
  api.google.heal();
  api.ml.calls.length = 0;
  api.ml.behave(respondWithSuggestions([]));
  await api.testDatabase.query('TRUNCATE "OutboxEvent", "ActionHistory", "EmailSuggestion"');
});
afterAll(() => api.close());

import { describe, expect, it } from 'vitest';
import { toListEmailsQuery } from '../inbox/inbox-filters.ts';
import { createApiClient } from './api-client.ts';
import { createEarlyAnswers } from './early-answers.ts';

const apiOrigin = 'https://api.example.org';
const ME = { id: '1', email: 'ada@example.com', name: null, connection: 'active' };

describe('early answers', () => {
  it('spare the app its first requests at the inbox', async () => {
    const { client, requests } = visit('/inbox');
    expect(requests).toHaveLength(2);
    await client.listEmails({ query: toListEmailsQuery({}, undefined) });
    await client.getMe({}).catch(() => undefined);
    expect(requests).toHaveLength(2);
  });

  it('serve once: the next request goes out', async () => {
    const { client, requests } = visit('/inbox');
    const query = toListEmailsQuery({}, undefined);
    await client.listEmails({ query });
    await client.listEmails({ query });
    expect(requests).toHaveLength(3);
  });

  it('are not asked for where they would not be wanted', () => {
    expect(visit('/sign-in').requests).toEqual([]);
    expect(visit('/suggestions').requests).toEqual([`${apiOrigin}/api/v1/me`]);
    expect(visit('/inbox', '?unread=true').requests).toEqual([`${apiOrigin}/api/v1/me`]);
  });
});

const visit = (pathname: string, search = '') => {
  const requests: string[] = [];
  const answers = createEarlyAnswers({
    apiOrigin,
    place: { pathname, search },
    fetch: async (resource) => {
      requests.push(String(resource));
      return Response.json(
        String(resource).endsWith('/me') ? ME : { emails: [], nextPageToken: null, total: 0 },
      );
    },
  });
  return { requests, client: createApiClient({ apiOrigin, fetch: answers.fetch }) };
};

import type { ApiClient } from '@mailsweep/client';
import { describe, expect, it } from 'vitest';
import { sampleEmail } from '../testing/sample-email.ts';
import { withEmailCache } from './email-cache.ts';

describe('the memory of emails', () => {
  it('knows what was listed without asking', async () => {
    const { client, memory, requests } = setUp();
    await client.listEmails({});
    memory.want(['email-1']);
    await expect.poll(() => memory.find('email-1')?.subject).toBe('Subject 1');
    expect(requests).toEqual([]);
  });

  it('asks once, in one request, for everything wanted at the same time', async () => {
    const { memory, requests } = setUp();
    memory.want(['email-7', 'email-8']);
    memory.want(['email-8', 'email-9']);
    await expect.poll(() => memory.find('email-9')?.subject).toBe('Subject 9');
    memory.want(['email-7']);
    expect(requests).toEqual([['email-7', 'email-8', 'email-9']]);
  });

  it('notifies subscribers when more is known', async () => {
    const { memory } = setUp();
    const versions = [memory.version()];
    const stop = memory.subscribe(() => versions.push(memory.version()));
    memory.want(['email-7']);
    await expect.poll(() => new Set(versions).size).toBe(2);
    stop();
  });

  it('asks again after a failure', async () => {
    const { memory, requests, fail } = setUp();
    fail(true);
    memory.want(['email-7']);
    await expect.poll(() => requests.length).toBe(1);
    fail(false);
    await expect
      .poll(() => {
        memory.want(['email-7']);
        return memory.find('email-7')?.subject;
      })
      .toBe('Subject 7');
  });
});

const setUp = () => {
  const requests: string[][] = [];
  let isFailing = false;
  const client: Pick<ApiClient, 'listEmails' | 'lookUpEmails'> = {
    listEmails: async () => ({ emails: [sampleEmail(1)], nextPageToken: null, total: 1 }),
    lookUpEmails: async ({ body }) => {
      requests.push(body.emailIds);
      if (isFailing) throw new Error('offline');
      return { emails: body.emailIds.map((id) => sampleEmail(Number(id.replace('email-', '')))) };
    },
  };
  return {
    ...withEmailCache(client as ApiClient),
    requests,
    fail: (failing: boolean) => {
      isFailing = failing;
    },
  };
};

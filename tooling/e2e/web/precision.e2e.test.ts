import type { ListStoppedSuggestionsResponse, ListSuggestionGroupsResponse } from '@mailsweep/contracts';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { ownUser } from '../src/shared-stack.ts';
import { hasChromium, skipReason } from './browser.ts';
import { useFreshVisit, useWebStack } from './web-stack.ts';

const LONG_WAIT = { timeout: 90_000 };

describe.skipIf(!hasChromium)(`precision in a browser${skipReason}`, { timeout: 480_000 }, () => {
  test('is reached from the activity, and lets what was rejected three times be suggested again', async () => {
    await page.goto('/activity');
    await page.getByRole('link', { name: /^How often “safe to clean” was right/ }).click();
    await page.getByText('You have not decided about a suggestion yet.').waitFor(LONG_WAIT);
    await page.getByText('Everything is suggested.').waitFor(LONG_WAIT);

    await rejectThreeOfOneSender();
    await page.reload();
    const stopped = page.getByRole('list', { name: 'No longer suggested' }).getByRole('listitem');
    await expect.poll(() => stopped.count(), LONG_WAIT).toBe(1);
    await stopped.getByRole('button', { name: /^Allow again/ }).click();
    await page.getByText('Everything is suggested.').waitFor(LONG_WAIT);
    expect((await askApi<ListStoppedSuggestionsResponse>('/suggestions/stopped')).total).toBe(0);
  });

  test('is not needed for that: the third rejection says what it ends, and takes it back', async () => {
    await page.getByRole('button', { name: /^Reject \d+/ }).click(LONG_WAIT);
    const notice = page.getByRole('alert').filter({ hasText: /No longer suggested for / });
    await notice.waitFor(LONG_WAIT);
    expect((await askApi<ListStoppedSuggestionsResponse>('/suggestions/stopped')).total).toBe(1);
    await notice.getByRole('button', { name: 'Allow again' }).click();
    await page.getByText('It may be suggested again').waitFor(LONG_WAIT);
    expect((await askApi<ListStoppedSuggestionsResponse>('/suggestions/stopped')).total).toBe(0);
  });
});

const rejectThreeOfOneSender = async () => {
  const { data } = await askApi<ListSuggestionGroupsResponse>('/suggestions/groups?perPage=100');
  const group = data.find(({ emails, actions }) => emails >= 3 && Object.keys(actions).length === 1);
  if (group === undefined) throw new Error('no sender has three suggestions of one action');
  const emails = await askApi<{ data: { id: string }[] }>(
    `/suggestions/stored?sender=${group.key}&perPage=3`,
  );
  await confirm(
    emails.data.map(({ id }) => id),
    'reject',
  );
};

const confirm = async (emailIds: string[], action: 'accept' | 'reject') => {
  const response = await page.request.post(`${web.stack.api}/api/v1/notifications/confirm`, {
    data: { emailIds, action },
    headers: { origin: new URL(page.url()).origin },
  });
  expect(response.status()).toBe(200);
};

const askApi = async <T>(path: string): Promise<T> => {
  const response = await page.request.get(`${web.stack.api}/api/v1${path}`);
  return (await response.json()) as T;
};

const web = useWebStack();
let page: Page;
useFreshVisit(web, async (fresh) => {
  page = fresh;
  await web.openAs(page, '/suggestions', ownUser('ada'));
  await page.locator('button[aria-current=true]').waitFor(LONG_WAIT);
});

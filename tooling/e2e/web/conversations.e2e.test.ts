import type { Conversation } from '@mailsweep/contracts';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { ownUser } from '../src/shared-stack.ts';
import { findAccessibilityFaults } from './accessibility.ts';
import { hasChromium, skipReason } from './browser.ts';
import { forgetRequests, listRequests, orderFault } from './sandbox.ts';
import { useFreshVisit, useWebStack } from './web-stack.ts';

const USER = ownUser('ada');
const PHONE = { width: 390, height: 844 };
const CHANGE_PATH = /\/messages\/([^/]+)\/modify$/;

describe.skipIf(!hasChromium)(`a conversation in a browser${skipReason}`, () => {
  test('is archived as a whole by clicks, without what the user sent, and comes back with one undo', async () => {
    const before = await openConversation();
    const ids = before.emails.map(({ id }) => id);
    await pane()
      .getByText(/emails? of this conversation (is|are) on the list/)
      .waitFor();
    await pane().getByRole('button', { name: 'Show the whole conversation' }).click();
    await pane().getByRole('list', { name: 'Emails of this conversation in the inbox' }).waitFor();
    expect(await pane().getByRole('listitem').count()).toBe(ids.length);
    await pane()
      .getByText(/stays? as (it is|they are)/)
      .waitFor();

    expect(await findAccessibilityFaults(page)).toEqual([]);

    await forgetRequests(web.stack.google, USER);
    await pane()
      .getByRole('button', { name: `Archive ${ids.length} emails` })
      .click();
    await toast(`${ids.length} emails archived`).waitFor();
    expect(await changedIds()).toEqual(ids.toSorted());
    for (const id of ids) await row(id).waitFor({ state: 'detached' });
    expect(await readConversation(before.threadId)).toMatchObject({
      emails: [],
      otherMessages: before.otherMessages + ids.length,
    });

    await page.getByRole('button', { name: /^Undo/ }).click();
    await toast(`Undone: ${ids.length} emails put back`).waitFor();
    expect(await readConversation(before.threadId)).toEqual(before);
    await row(ids[0] ?? '').waitFor();
  });

  test('that does not load is said to, and loads at the next try', async () => {
    const { threadId, emails } = await openConversation();
    await orderFault(web.stack.google, {
      user: USER,
      kind: 'forbidden',
      path: `/threads/${threadId}`,
      times: 1,
    });
    await pane().getByRole('button', { name: 'Show the whole conversation' }).click();
    await pane().getByRole('alert').getByRole('button', { name: 'Try again' }).click();
    await pane()
      .getByRole('button', { name: `Trash ${emails.length} emails` })
      .waitFor();
  });

  test('fits a phone: nothing of it is cut off or scrolls sideways', async () => {
    await page.setViewportSize(PHONE);
    const { emails } = await openConversation();
    await pane().getByRole('button', { name: 'Show the whole conversation' }).click();
    const last = pane().getByRole('button', { name: `Mark ${emails.length} emails unread` });
    await last.scrollIntoViewIfNeeded();
    const box = await last.boundingBox();
    expect(box && box.x >= 0 && box.x + box.width <= PHONE.width).toBe(true);
    expect(await findAccessibilityFaults(page)).toEqual([]);
    expect(await pane().evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  });
});

const pane = (): Locator => page.getByRole('complementary', { name: 'Email details' });
const toast = (text: string): Locator => page.getByRole('alert').getByText(text).first();
const row = (id: string): Locator => page.locator(`[data-row-id="${id}"]`);

/** What the API returns to the user on the page. */
const askApi = async <T>(path: string): Promise<T> => {
  const response = await page.context().request.get(`${web.stack.api}${path}`);
  return (await response.json()) as T;
};

/** Labels come in any order. */
const readConversation = async (threadId: string): Promise<Conversation> => {
  const conversation = await askApi<Conversation>(`/api/v1/conversations/${threadId}`);
  const emails = conversation.emails.map((email) => ({ ...email, labels: email.labels.toSorted() }));
  return { ...conversation, emails };
};

/** Opens an email of the first conversation on the list of which several emails are in the inbox and one was sent. */
const openConversation = async (): Promise<Conversation> => {
  const { emails } = await askApi<Conversation>('/api/v1/emails?category=primary&pageSize=30');
  for (const [threadId, mails] of Map.groupBy(emails, (email) => email.threadId)) {
    if (threadId === undefined || mails.length < 2) continue;
    const conversation = await readConversation(threadId);
    if (conversation.otherMessages === 0) continue;
    const sender = mails[0]?.from ?? '';
    await page.goto(`/inbox?category=primary&find=${encodeURIComponent(`"${sender}"`)}`);
    await row(mails[0]?.id ?? '').click();
    return conversation;
  }
  throw new Error('the sandbox has no conversation with several emails in the inbox and a sent one');
};

/** The messages that Gmail was asked to change, each once. */
const changedIds = async (): Promise<string[]> => {
  const log = await listRequests(web.stack.google, USER);
  const ids = log.flatMap(({ method, path }) =>
    method === 'POST' ? (CHANGE_PATH.exec(path)?.[1] ?? []) : [],
  );
  return [...new Set(ids)].toSorted();
};

const web = useWebStack();
let page: Page;
useFreshVisit(web, async (fresh) => {
  page = fresh;
  await web.openAs(page, '/inbox', USER);
  await page.locator('[role=row]').first().waitFor();
});

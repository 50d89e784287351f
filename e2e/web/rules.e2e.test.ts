import { describe, expect, test } from 'vitest';
import { hasChromium, signInAt, skipReason } from './browser.ts';
import { useFreshVisit, useWebStack } from './web-stack.ts';

const USER = 'grace@example.com';

describe.skipIf(!hasChromium)(`rules in a browser${skipReason}`, () => {
  test('are made, looked at, run and undone; then the rule has paused itself', async () => {
    const { page } = visit;
    const read = (path: string) =>
      page.request.get(`${web.stack.api}/api/v1${path}`).then((response) => response.json());
    await expect.poll(async () => (await read('/senders')).total).toBeGreaterThan(0);
    await page.goto('/rules');
    await page.getByText('No rules yet').waitFor();
    expect(await page.title()).toBe('Rules · Mailsweep');
    await page.getByText('Rules run only while Mailsweep keeps watching').waitFor();

    await page.getByRole('button', { name: 'New rule' }).click();
    await page.getByLabel('When').selectOption('0');
    await page.getByLabel('What is done').selectOption('mark_read');
    await page.getByLabel('What is done').selectOption('label');
    await page.getByLabel('Name of the label').fill('Ruled');
    await page.getByRole('button', { name: 'Make the rule' }).click();
    const card = page.getByRole('listitem').filter({ hasText: 'as Ruled' });
    await card.getByText('It has found nothing to do yet.').waitFor();
    expect(await card.getByRole('switch').isChecked()).toBe(true);

    await card.getByRole('button', { name: /^See what it would do now/ }).click();
    await page.getByRole('button', { name: /^Yes, all / }).click();
    await expect
      .poll(async () => (await read('/rules')).data[0]?.lastRun, { timeout: 20_000 })
      .toMatchObject({ state: 'completed', undone: 0 });
    const [rule] = (await read('/rules')).data;
    expect(rule.lastRun.actions).toBeGreaterThan(0);
    const { data: batches } = await read('/notifications/history/batches?source=rule');
    expect(batches).toMatchObject([{ id: rule.lastRun.batchId, action: 'label', source: 'rule' }]);

    await card.getByRole('button', { name: /^Undo all runs/ }).click();
    await card.getByText('It has paused itself', { exact: false }).waitFor({ timeout: 20_000 });
    await expect
      .poll(async () => (await read('/rules')).data[0])
      .toMatchObject({ enabled: false, pausedReason: 'undone', counts: { undone: rule.lastRun.actions } });

    await card.getByRole('button', { name: /^Delete/ }).click();
    await page.getByText('No rules yet').waitFor();
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await card.waitFor();

    await page.goto('/history?source=rule');
    await page.getByText('Rule', { exact: true }).first().waitFor();
  });
});

const web = useWebStack();
const visit = useFreshVisit(web, (page) => signInAt(page, '/inbox', USER));

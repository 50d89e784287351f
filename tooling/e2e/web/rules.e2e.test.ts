import { describe, expect, test } from 'vitest';
import { ownUser } from '../src/shared-stack.ts';
import { findAccessibilityFaults } from './accessibility.ts';
import { hasChromium, skipReason } from './browser.ts';
import { useFreshVisit, useWebStack } from './web-stack.ts';

const USER = ownUser('grace');
const SCAN = { timeout: 60_000 };

describe.skipIf(!hasChromium)(`rules in a browser${skipReason}`, () => {
  test('are made, looked at, run and undone; then the rule has paused itself', async () => {
    const { page } = visit;
    const read = (path: string) =>
      page.request.get(`${web.stack.api}/api/v1${path}`).then((response) => response.json());
    await expect.poll(async () => (await read('/senders')).total, SCAN).toBeGreaterThan(0);
    await page.goto('/rules');
    await page.getByText('No rules yet').waitFor();
    expect(await page.title()).toBe('Rules · Mailsweep');
    await page.getByText('Rules run only while Mailsweep keeps watching').waitFor();

    await page.getByRole('button', { name: 'New rule' }).click();
    const dialog = page.getByRole('dialog', { name: 'New rule' });
    const senders = dialog.getByRole('group', { name: 'Senders' });
    const [one, other] = (await read('/senders?perPage=100')).data;
    for (const { from } of [one, other]) {
      await dialog.getByLabel('Find a sender').fill(parseAddress(from));
      await senders.getByText(parseAddress(from)).first().click();
    }
    await dialog.getByText('Senders: 2').waitFor();
    await dialog.getByLabel('When').selectOption('0');
    await dialog.getByLabel('Action').selectOption('label');
    await dialog.getByRole('textbox', { name: 'Label' }).fill('Ruled');
    expect(await findAccessibilityFaults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Create rule' }).dblclick();
    const preview = page.getByRole('dialog', { name: /as Ruled: / });
    await preview.getByText(/^If it ran now: \d+ emails?\.$/).waitFor();
    expect(await findAccessibilityFaults(page)).toEqual([]);
    expect((await read('/rules')).data).toMatchObject([{ enabled: false, lastRun: null }]);
    // By key: the button lies where the double click was, and a click soon after it would be taken for a third.
    await preview.getByRole('button', { name: 'Turn on' }).press('Enter');
    const card = page.getByRole('main').getByRole('listitem').filter({ hasText: 'as Ruled' });
    await card.getByText(/^Not run yet|^No matching email yet/).waitFor();
    await expect.poll(() => card.getByRole('switch').isChecked()).toBe(true);

    await card.getByRole('button', { name: /^Preview/ }).click();
    await preview.getByRole('button', { name: 'Run now' }).click();
    await expect
      .poll(async () => (await read('/rules')).data[0]?.lastRun, { timeout: 20_000 })
      .toMatchObject({ state: 'completed', undone: 0 });
    const [rule] = (await read('/rules')).data;
    expect(rule.lastRun.actions).toBeGreaterThan(0);
    const { data: batches } = await read('/notifications/history/batches?source=rule');
    expect(batches).toMatchObject([{ id: rule.lastRun.batchId, action: 'label', source: 'rule' }]);

    await card.getByRole('button', { name: /^Undo last run/ }).waitFor();
    await page.keyboard.press('z');
    await page
      .getByRole('alert')
      .getByText(/^Undone: /)
      .waitFor({ timeout: 20_000 });
    await card.getByText('Paused: you have undone', { exact: false }).waitFor({ timeout: 20_000 });
    expect(await card.getByRole('switch').isChecked()).toBe(false);
    expect(await card.getByRole('button', { name: /^Undo last run/ }).count()).toBe(0);
    await expect
      .poll(async () => (await read('/rules')).data[0])
      .toMatchObject({ enabled: false, pausedReason: 'undone', counts: { undone: rule.lastRun.actions } });

    await card.getByRole('button', { name: /^Edit/ }).click();
    const edit = page.getByRole('dialog', { name: 'Edit rule' });
    await edit.getByLabel('When').selectOption('30');
    await edit.getByRole('button', { name: 'Save' }).click();
    await card.getByText(/as Ruled: .*, .* \(after 30 days\)$/).waitFor();

    await card.getByRole('button', { name: /^Delete/ }).click();
    await page.getByText('No rules yet').waitFor();
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await card.waitFor();

    await page.goto('/history?source=rule');
    const entries = page.getByRole('main').getByRole('listitem');
    await entries.getByText('Rule', { exact: true }).first().waitFor();
  });
});

const parseAddress = (from: string): string => /<([^<>]+)>/.exec(from)?.[1] ?? from;

const web = useWebStack();
const visit = useFreshVisit(web, (page) => web.openAs(page, '/inbox', USER));

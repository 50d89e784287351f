import { describe, expect, test } from 'vitest';
import { ownUser } from '../src/shared-stack.ts';
import { hasChromium, signInAtProvider, skipReason } from './browser.ts';
import { useWebStack } from './web-stack.ts';

describe.skipIf(!hasChromium)(`several mailboxes of one person in a browser${skipReason}`, () => {
  test('are added, told apart by address, cleaned apart, and taken out again', async ({ task }) => {
    const attempt = task.result?.retryCount;
    const [HOME, WORK] = [ownUser('grace', attempt), ownUser('ada', attempt)];
    const { page, close, complaints } = await web.open();
    await web.openAs(page, '/settings', HOME);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await signInAtProvider(page, WORK);
    await page.getByText(`${WORK} was added`).waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toMatch(/^\/m\/2\//);

    // Each tab shows its own, and what one does changes nothing of the other.
    const other = await page.context().newPage();
    await other.goto(`${web.stack.web}/inbox`);
    const firstOfHome = await firstRow(other).getAttribute('data-row-id');
    await page.goto(`${web.stack.web}/m/2/inbox`);
    const firstOfWork = await firstRow(page).getAttribute('data-row-id');
    expect(firstOfWork).not.toBe(firstOfHome);
    await page.keyboard.press('j');
    await page.keyboard.press('e');
    await page.getByText('1 email archived').waitFor();
    await expect.poll(() => firstRow(page).getAttribute('data-row-id')).not.toBe(firstOfWork);
    await other.reload();
    expect(await firstRow(other).getAttribute('data-row-id')).toBe(firstOfHome);
    expect(new URL(other.url()).pathname).toBe('/inbox');

    await page.goto(`${web.stack.web}/m/2/`);
    const strip = page.getByRole('list', { name: 'Your mailboxes' });
    await strip.getByText('All mailboxes').waitFor();
    await expect.poll(() => strip.getByText(/in the inbox/).count(), { interval: 500 }).toBe(3);
    expect(await strip.getByRole('link', { name: WORK }).getAttribute('aria-current')).toBe('true');
    await strip.getByRole('link', { name: HOME }).click();
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/m/1/');

    await page.goto(`${web.stack.web}/m/1/settings`);
    await page.getByRole('button', { name: `Take out ${WORK}…` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Take out' }).click();
    await page.getByRole('button', { name: `Take out ${WORK}…` }).waitFor({ state: 'detached' });
    await other.goto(`${web.stack.web}/m/2/inbox`);
    await other.getByText('not among yours').waitFor();
    await close();
    expect(complaints.filter((complaint) => !complaint.includes('403'))).toEqual([]);
  });
});

const firstRow = (page: Awaited<ReturnType<typeof web.open>>['page']) => page.locator('[role=row]').first();

const web = useWebStack();

import { describe, expect, test } from 'vitest';
import { ownUser } from '../src/shared-stack.ts';
import { hasChromium, skipReason } from './browser.ts';
import { useFreshVisit, useWebStack } from './web-stack.ts';

const USER = ownUser('grace');
const SWITCH = 'Keep watching for new email';

describe.skipIf(!hasChromium)(`the watch in a browser${skipReason}`, () => {
  test('is off until the user switches it on, is then carried out, and ends when it is switched off', async () => {
    const { page } = visit;
    const read = (path: string) =>
      page.request.get(`${web.stack.api}/api/v1${path}`).then((response) => response.json());
    await page.getByText('Off. Nothing is read while the app is closed.').waitFor();
    expect(await read('/watch')).toMatchObject({ state: 'off', total: null });

    const control = page.getByRole('switch', { name: SWITCH });
    await control.focus();
    await page.keyboard.press('Space');
    await page.getByText(/^Last checked .+ New since .+: 0 emails, 0 with suggestions\.$/).waitFor();
    await page.getByText('1 hr', { exact: true }).click();
    await expect.poll(() => read('/me/preferences')).toMatchObject({ watch: { everyMinutes: 60 } });
    await page.reload();
    await expect.poll(() => control.isChecked()).toBe(true);
    expect(await page.getByRole('radio', { name: '1 hr' }).isChecked()).toBe(true);
    await page.getByText('Switched on watching for new email').waitFor();

    await control.focus();
    await page.keyboard.press('Space');
    await page.getByText('Off. Nothing is read while the app is closed.').waitFor();
    expect(await read('/watch')).toMatchObject({ state: 'off', total: null });
  });
});

const web = useWebStack();
const visit = useFreshVisit(web, (page) => web.openAs(page, '/settings', USER));

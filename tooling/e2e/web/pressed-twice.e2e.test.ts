/// <reference lib="dom" />
import type { CleanupPlan, CreatedToken, Sender } from '@mailsweep/contracts';
import got from 'got';
import type { CDPSession, Locator, Page, Request } from 'playwright-core';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { signIn } from '../src/api-session.ts';
import { ownUser } from '../src/shared-stack.ts';
import { hasChromium, skipReason } from './browser.ts';
import { clearFaults, orderFault } from './sandbox.ts';
import { useWebStack } from './web-stack.ts';

const USER = ownUser('ada');
/** A scan reads some 1,500 emails from the sandbox. */
const SCAN = { timeout: 150_000, interval: 500 };
const WAIT = { timeout: 20_000 };
const LONG = { timeout: 900_000 };

/** Presses a control twice without a gap: everything is sent before the page has heard of any of it. */
type Press = (devtools: CDPSession, control: Locator) => Promise<unknown>;

const placeOf = async (control: Locator): Promise<{ x: number; y: number }> => {
  await control.scrollIntoViewIfNeeded();
  // A dialog that comes up still moves.
  await control.hover();
  const { x, y, width, height } = (await control.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  return { x: x + width / 2, y: y + height / 2 };
};

const WAYS: Record<string, Press> = {
  'a mouse': async (devtools, control) => {
    const at = await placeOf(control);
    await Promise.all(
      [1, 2].flatMap((clickCount) =>
        (['mousePressed', 'mouseReleased'] as const).map((type) =>
          devtools.send('Input.dispatchMouseEvent', { ...at, type, button: 'left', clickCount }),
        ),
      ),
    );
  },
  'a finger': async (devtools, control) => {
    const at = await placeOf(control);
    await Promise.all(
      [1, 2].flatMap(() => [
        devtools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [at] }),
        devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] }),
      ]),
    );
  },
  'a key, which is then held down': async (devtools, control) => {
    // The label of a switch, which takes another key.
    const isSwitch = await control.evaluate((element) => {
      const field = element instanceof HTMLLabelElement ? element.control : null;
      (field ?? (element as HTMLElement)).focus();
      return field !== null;
    });
    const key = isSwitch
      ? { key: ' ', code: 'Space', windowsVirtualKeyCode: 32, text: ' ' }
      : { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13, text: '\r' };
    await Promise.all(
      [
        { isUp: true },
        { isUp: false },
        { autoRepeat: true, isUp: false },
        { autoRepeat: true, isUp: true },
      ].flatMap(({ isUp, autoRepeat = false }) => [
        devtools.send('Input.dispatchKeyEvent', { ...key, type: 'keyDown', autoRepeat }),
        ...(isUp ? [devtools.send('Input.dispatchKeyEvent', { ...key, type: 'keyUp' })] : []),
      ]),
    );
  },
};

/** A control that acts: where it is, and how it comes into view. */
interface Control {
  name: string;
  place: string | ((page: Page) => Promise<string>);
  /** @param nth - counts the ways, from 0: each has its own email, sender or token */
  reach: (page: Page, nth: number) => Locator | Promise<Locator>;
  /** What it asks for, where that is more than one request. */
  requests?: number;
}

const button = (within: Page | Locator, name: string | RegExp): Locator =>
  within.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name });
const dialog = (page: Page): Locator => page.getByRole('dialog').last();
const switchIn = (within: Locator): Locator => within.locator('label:has([role=switch])').first();
const row = (page: Page): Locator => page.locator('[role=row][data-row-id]').first();
const group = (page: Page): Locator => page.getByRole('region', { name: /^Suggestions: / });
const toast = (page: Page): Locator => page.getByRole('alert').last();
const CATEGORIES = ['promotions', 'social', 'forums'];
/** Senders to whom the user has never written, for each way one: plans leave out the others. */
const PLANNED = ['Northwind Outfitters', 'Bloom & Vine', 'Picnic Photos'];
const RULED = ['numerics-users', 'Riverside Chess Club', 'Marketsquare'];

const tickFirst = async (page: Page): Promise<Locator> => {
  await row(page).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  return page.getByRole('toolbar', { name: /^Selected/ });
};

const archiveFirst = async (page: Page): Promise<void> => {
  await row(page).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('e');
  await toast(page).getByText('1 email archived').waitFor();
};

const openRule = async (page: Page, name: RegExp): Promise<Locator> => {
  await button(page, name).first().click();
  return dialog(page);
};

const CONTROLS: Control[] = [
  {
    name: 'inbox: archive a row',
    place: '/inbox',
    reach: async (page, nth) => {
      // Fingers swipe instead, and keys act on the row itself.
      if (nth > 0) return button(await tickFirst(page), /^Archive/);
      await row(page).hover();
      return button(row(page), /^Archive/);
    },
  },
  {
    name: 'inbox: delete what is ticked',
    place: '/inbox',
    reach: async (page) => button(await tickFirst(page), /^Trash/),
  },
  {
    name: 'inbox: mark the open email',
    place: '/inbox',
    reach: async (page) => {
      await row(page).getByRole('gridcell').nth(2).click();
      return button(page.getByRole('complementary', { name: 'Email details' }), /^Mark/);
    },
  },
  {
    name: 'inbox: delete many',
    place: '/inbox?category=updates',
    reach: async (page) => {
      await row(page).waitFor();
      await page.keyboard.press('Control+a');
      await page.keyboard.press('#');
      return button(dialog(page), /Trash/);
    },
  },
  {
    name: 'inbox: run a plan',
    place: '/inbox',
    reach: async (page, nth) => {
      await page.goto(`/inbox?category=${CATEGORIES[nth]}`);
      await row(page).waitFor();
      await page.keyboard.press('Control+a');
      await button(page, /^Select all/).click();
      await page.getByRole('toolbar').getByText(', loaded or not').waitFor();
      await button(page, /^Archive/).click();
      return button(dialog(page), /^Archive \d/);
    },
  },
  {
    name: 'a toast: undo',
    place: '/inbox',
    reach: async (page) => {
      await archiveFirst(page);
      return button(toast(page), /^Undo/);
    },
  },
  {
    name: 'Z after a reload: undo',
    place: '/inbox',
    reach: async (page) => {
      await archiveFirst(page);
      await page.reload();
      await row(page).waitFor();
      await page.keyboard.press('z');
      return button(dialog(page), 'Undo');
    },
  },
  {
    name: 'history: undo a batch',
    place: '/inbox',
    reach: async (page) => {
      await archiveFirst(page);
      await page.goto('/history');
      return button(page.getByRole('main').getByRole('listitem').first(), /^Undo: /);
    },
  },
  {
    name: 'history: undo for one email',
    place: '/inbox',
    reach: async (page) => {
      await archiveFirst(page);
      await page.goto('/history');
      const entry = page.getByRole('main').getByRole('listitem').first();
      await entry.getByRole('button', { expanded: false }).click();
      return button(entry, /^Undo for /);
    },
  },
  {
    name: 'suggestions: accept one',
    place: '/suggestions?show=everything&by=reason',
    reach: (page) => button(group(page), /^Accept for /).first(),
  },
  {
    name: 'suggestions: reject one',
    place: '/suggestions?show=everything&by=reason',
    reach: (page) => button(group(page), /^Reject for /).first(),
  },
  {
    name: 'suggestions: accept beside the group',
    place: '/suggestions?show=everything',
    reach: async (page) => {
      await page
        .getByRole('list', { name: 'Emails of this group' })
        .locator('button[aria-expanded]')
        .first()
        .click();
      return button(page.getByRole('complementary', { name: 'Email' }), /^(Archive|Trash|Label|Keep) 1/);
    },
  },
  {
    name: 'suggestions: reject a group',
    place: '/suggestions?show=everything',
    reach: (page) => button(group(page), /^Reject \d/),
  },
  {
    // Planned, and run where the plan is what is shown; else it asks first.
    name: 'suggestions: do something else with a group',
    place: '/suggestions?show=everything',
    reach: async (page) => {
      await group(page).getByLabel('What to do').first().selectOption({ label: 'Mark read' });
      return button(group(page), /^Mark \d+ read(?! and)/);
    },
    requests: 2,
  },
  {
    name: 'a sender: protect',
    place: '/senders',
    reach: async (page, nth) => {
      await page
        .locator('[data-row-id]')
        .nth(nth)
        .getByRole('gridcell')
        .nth(1)
        .click({ position: { x: 20, y: 10 } });
      return button(dialog(page), 'Keep: protect this sender');
    },
  },
  {
    name: 'a sender: run a plan',
    place: '/senders',
    reach: async (page, nth) => {
      await page.goto(`/senders?find=${encodeURIComponent(String(PLANNED[nth]))}`);
      await page
        .locator('[data-row-id]')
        .first()
        .getByRole('gridcell')
        .nth(1)
        .click({ position: { x: 20, y: 10 } });
      await button(dialog(page), /^Mark read [1-9]|^Trash [1-9]/)
        .first()
        .click();
      return button(dialog(page), /^(Mark|Trash) \d/);
    },
  },
  {
    name: 'a sender: unsubscribe',
    place: '/senders',
    reach: async (page, nth) => {
      const from = String(prepared.oneClick[nth]?.from);
      await page.goto(`/senders?find=${encodeURIComponent(/<(.*)>/.exec(from)?.[1] ?? from)}`);
      await page
        .locator('[data-row-id]')
        .first()
        .getByRole('gridcell')
        .nth(1)
        .click({ position: { x: 20, y: 10 } });
      await button(dialog(page), 'Unsubscribe…').click();
      return button(dialog(page), 'Unsubscribe');
    },
  },
  {
    name: 'senders: scan again',
    place: '/senders',
    reach: (page) => button(page, 'Scan again'),
  },
  {
    name: 'senders: stop the scan',
    place: '/senders',
    reach: async (page) => {
      await orderFault(web.stack.google, {
        user: USER,
        kind: 'delay',
        path: '^/gmail/',
        times: 3,
        delayMs: 2_000,
      });
      await button(page, 'Scan again').click();
      return button(page, 'Stop');
    },
  },
  {
    name: 'rules: make one',
    place: '/rules',
    reach: async (page, nth) => {
      const form = await openRule(page, /^New rule$/);
      await form.getByRole('checkbox', { name: String(RULED[nth]) }).check();
      await form.getByLabel('Action').selectOption('label');
      await form.getByRole('textbox', { name: 'Label' }).fill('Ruled');
      await form.getByLabel('When').selectOption('0');
      return button(form, 'Create rule');
    },
  },
  {
    name: 'rules: run',
    place: '/rules',
    reach: async (page) => button(await openRule(page, /^Preview/), 'Run now'),
  },
  {
    name: 'rules: turn on',
    place: '/rules',
    reach: async (page) => button(await openRule(page, /^Preview/), 'Turn on'),
  },
  { name: 'rules: turn off', place: '/rules', reach: (page) => switchIn(page.getByRole('main')) },
  {
    name: 'rules: undo the last run',
    place: '/rules',
    reach: (page) => button(page, /^Undo last run/).first(),
  },
  { name: 'rules: delete', place: '/rules', reach: (page) => button(page, /^Delete/).first() },
  {
    name: 'a program: decline',
    place: async (page) => {
      await askByProgram(page);
      return '/';
    },
    reach: (page) => button(page.getByRole('region', { name: 'Confirmation request' }), 'Decline'),
  },
  {
    name: 'a program: confirm',
    place: async (page) => {
      await askByProgram(page);
      return '/';
    },
    reach: (page) => button(page.getByRole('region', { name: 'Confirmation request' }), 'Confirm'),
  },
  { name: 'a program: deny', place: async () => toAuthorization(), reach: (page) => button(page, 'Deny') },
  { name: 'a program: allow', place: async () => toAuthorization(), reach: (page) => button(page, 'Allow') },
  {
    name: 'precision: allow again',
    place: async (page) => {
      await rejectThree(page);
      return '/precision';
    },
    reach: (page) => button(page, /^Allow again/).first(),
  },
  {
    name: 'settings: a switch',
    place: '/settings',
    reach: (page) => switchIn(page.getByRole('main')),
  },
  {
    name: 'settings: protect a domain',
    place: '/settings',
    reach: async (page, nth) => {
      await page.getByLabel('Protect an address or a domain').fill(`number${nth}.example`);
      return button(page, 'Protect');
    },
  },
  {
    name: 'settings: end a protection',
    place: '/settings',
    reach: (page) => button(page, /^Remove /).first(),
  },
  {
    name: 'settings: make a token',
    place: '/settings',
    reach: async (page) => {
      await button(page, 'New token').click();
      await dialog(page).getByLabel('Name').fill('Twice');
      return button(dialog(page), 'Make token');
    },
  },
  {
    name: 'settings: revoke a token',
    place: '/settings',
    reach: async (page) => {
      await button(page, 'Revoke the token Twice').click();
      return button(dialog(page), 'Revoke');
    },
  },
  {
    name: 'settings: sign another browser out',
    place: async () => {
      await signIn(web.stack.api, USER);
      return '/settings';
    },
    reach: (page) => button(page, /^Sign out (?!everywhere)./).first(),
  },
];

describe.skipIf(!hasChromium)(`controls that act, pressed twice${skipReason}`, LONG, () => {
  test.each(Object.entries(WAYS))('do it once: with %s', async (way, press) => {
    const nth = Object.keys(WAYS).indexOf(way);
    const { page, close } = await web.open({ hasTouch: nth === 1 });
    await web.openAs(page, '/settings', USER);
    const found: Record<string, string[]> = {};
    const failed: Record<string, string> = {};
    for (const { name, place, reach } of CONTROLS) {
      const at = typeof place === 'string' ? place : await place(page);
      // One that cannot be pressed hides no other.
      found[name] = await page
        .goto(at)
        .then(async () => pressTwice(page, await reach(page, nth), press))
        .catch((error: unknown) => {
          failed[name] = String(error).slice(0, 400);
          return [];
        });
    }
    await close();
    await clearFaults(web.stack.google);
    expect(failed, JSON.stringify(failed)).toEqual({});
    expect(found).toEqual(
      Object.fromEntries(
        CONTROLS.map(({ name, requests = 1 }) => [name, expect.objectContaining({ length: requests })]),
      ),
    );
    for (const requests of Object.values(found)) expect(new Set(requests).size).toBe(requests.length);
  });

  test.each([
    ['a mouse', ownUser('grace')],
    ['a finger', ownUser('dorothy')],
    ['a key, which is then held down', 'mary@example.com'],
  ])('clean the newest emails in one batch, erase once and sign out once: with %s', async (way, email) => {
    const press = WAYS[way] as Press;
    const { page, close } = await web.open({ hasTouch: press === WAYS['a finger'] });
    await web.openAs(page, '/', email);
    await button(page.getByRole('region', { name: 'What can be cleaned' }), /^(Archive|Trash) \d/).click(
      WAIT,
    );
    const yes = button(dialog(page), /^(Archive|Trash) \d/);
    await yes.waitFor(WAIT);
    // The first visit starts a scan by itself.
    const asked = await pressTwice(page, yes, press);
    expect(asked.filter((request) => !request.startsWith('POST /api/v1/scans '))).toHaveLength(1);
    const undo = button(page.getByRole('alert'), /^Undo/);
    await undo.waitFor(WAIT);
    expect(await undo.count()).toBe(1);
    const { total, data } = await read<{ total: number; data: { total: number }[] }>(
      page,
      '/api/v1/notifications/history/batches',
    );
    expect(total).toBe(1);

    await page.goto('/settings');
    await button(page, 'Delete…').click();
    await page.getByLabel(/to confirm/).fill('nobody');
    expect(data[0]?.total).toBeGreaterThan(0);
    await page.keyboard.press('Escape');
    expect(await pressTwice(page, button(page, 'Sign out'), press)).toHaveLength(1);
    await page.getByText('You are signed out.').waitFor();
    await web.openAs(page, '/settings', email);
    expect(await pressTwice(page, button(page, 'Sign out everywhere'), press)).toHaveLength(1);
    await page.getByText('You are signed out here').waitFor();
    await web.openAs(page, '/settings', email);
    await button(page, 'Delete…').click();
    await page.getByLabel(/to confirm/).fill(email);
    expect(await pressTwice(page, button(page, 'Delete for good'), press)).toHaveLength(1);
    await page.getByText('Everything stored about you was erased').waitFor(WAIT);
    await close();
  });
});

/** @returns what was asked of the API that acts, each request by its text, once the page has heard of all and rests */
const pressTwice = async (page: Page, control: Locator, press: Press): Promise<string[]> => {
  await control.waitFor(WAIT);
  await expect.poll(() => control.isEnabled(), WAIT).toBe(true);
  const asked: string[] = [];
  const onTheirWay = new Set<Request>();
  const onRequest = (request: Request) => {
    const path = request.url().replace(web.stack.api, '');
    if (
      ['GET', 'OPTIONS'].includes(request.method()) ||
      !/^\/(api|auth)\//.test(path) ||
      /\/(lookup|preview)$/.test(path)
    )
      return;
    asked.push([request.method(), path, request.postData()].join(' '));
    onTheirWay.add(request);
  };
  const onEnd = (request: Request) => onTheirWay.delete(request);
  page.on('request', onRequest).on('requestfinished', onEnd).on('requestfailed', onEnd);
  const devtools = await page.context().newCDPSession(page);
  await press(devtools, control);
  await vi.waitFor(() => expect(asked.length).toBeGreaterThan(0), WAIT);
  // Whatever follows from the presses has begun once the page has drawn twice without a request on its way.
  for (let frames = 0; frames < 2; ) {
    const isResting = await page
      .evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => resolve(true)))))
      // It has led to another page.
      .catch(() => false);
    frames = isResting && onTheirWay.size === 0 ? frames + 1 : 0;
  }
  page.off('request', onRequest).off('requestfinished', onEnd).off('requestfailed', onEnd);
  await devtools.detach();
  return asked;
};

const read = async <Body>(page: Page, path: string, data?: object): Promise<Body> => {
  const response = await page.request[data ? 'post' : 'get'](web.stack.api + path, {
    headers: { origin: web.stack.web, 'content-type': 'application/json' },
    ...(data && { data }),
  });
  expect({ path, ok: response.ok(), body: await response.text() }).toMatchObject({ ok: true });
  return (await response.json()) as Body;
};

/** A program asks to mark some emails. */
const askByProgram = async (page: Page): Promise<void> => {
  const token = await read<CreatedToken>(page, '/api/v1/me/tokens', { name: 'Program', scope: 'act' });
  const program = got.extend({
    prefixUrl: `${web.stack.api}/api/v1`,
    headers: { authorization: `Bearer ${token.secret}` },
  });
  const selection = { type: 'filter', category: 'primary', olderThan: 30 };
  const json = { action: 'mark_unread', selection };
  const { id } = await program.post('cleanups', { json }).json<CleanupPlan>();
  await program.post(`cleanups/${id}/run`, { json: {} });
};

/** Where a program sends its user, who would come back to a place where nobody is. */
const toAuthorization = (): string => {
  const query = new URLSearchParams({
    client_id: 'mailsweep-cli',
    redirect_uri: 'http://127.0.0.1:65432/callback',
    response_type: 'code',
    state: 'state',
    scope: 'act',
    code_challenge: 'c'.repeat(43),
    code_challenge_method: 'S256',
  });
  return `${web.stack.api}/oauth/authorize?${query}`;
};

/** Rejects what is suggested for a sender until it is suggested no more. */
const rejectThree = async (page: Page): Promise<void> => {
  const { data } = await read<{ data: { id: string }[] }>(
    page,
    `/api/v1/suggestions/stored?sender=${prepared.suggested.pop()}&perPage=100`,
  );
  await read(page, '/api/v1/notifications/confirm', { emailIds: data.map(({ id }) => id), action: 'reject' });
};

const web = useWebStack();
const prepared = {} as { oneClick: Sender[]; suggested: string[] };

beforeAll(async () => {
  if (!hasChromium) return;
  const { page, close } = await web.open();
  await web.openAs(page, '/settings', USER);
  await read(page, '/api/v1/scans', {});
  await vi.waitFor(async () => {
    expect(await read(page, '/api/v1/suggestions/groups')).toMatchObject({ complete: true });
  }, SCAN);
  const { data } = await read<{ data: Sender[] }>(page, '/api/v1/senders?perPage=100');
  prepared.oneClick = data.filter(
    ({ from, unsubscribe }) =>
      unsubscribe?.method === 'one_click' && !PLANNED.some((name) => from.includes(name)),
  );
  const groups = await read<{ data: { key: string; emails: number }[] }>(
    page,
    '/api/v1/suggestions/groups?by=sender&perPage=100',
  );
  prepared.suggested = groups.data.filter(({ emails }) => emails >= 3).map(({ key }) => key);
  await close();
}, 240_000);

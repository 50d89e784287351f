import type {
  Activity,
  Cleanup,
  EmailWithSuggestions,
  ListSuggestionGroupsResponse,
  MailboxOverview,
  Scan,
  SuggestionGroup,
  Survey,
} from '@mailsweep/contracts';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { renderAtRoute, toProblem } from '../testing/render-at-route.tsx';
import { sampleCleanup, sampleEmail, sampleScan, sampleSender } from '../testing/sample-email.ts';
import { HomeScreen } from './home-screen.tsx';

const DONE = sampleScan({ state: 'completed', scanned: 900, total: 900 });
const COMPLETE = { complete: true, scannedAt: '2026-01-31T09:30:00.000Z' };

describe('the first visit', () => {
  it('says at once what can probably go, asks before it goes, and scans the rest by itself, once', async () => {
    const { requests, bodies } = renderHome({
      newest: NEWEST,
      groups: toPage([toGroup('bulk', 3)], PROBABLE),
    });
    await screen.findByRole('heading', { name: '3 emails can probably go' });
    await screen.findByText('You have not decided about such suggestions yet.');
    await screen.findByRole('heading', {
      name: 'Mailsweep is now reading the rest of your mailbox: about 6 minutes',
    });
    await screen.findByRole('button', { name: 'Stop' });
    expect(requests.filter((request) => request.startsWith('POST'))).toEqual(['POST /api/v1/scans']);
    await userEvent.click(screen.getByRole('button', { name: 'Archive 2, trash 1…' }));
    await screen.findByRole('dialog');
    expect(bodies).toContainEqual({
      action: 'accept',
      selection: {
        type: 'suggestions',
        actions: ['archive', 'delete'],
        minAcceptance: 0.75,
        belowAcceptance: 0.95,
        except: [],
      },
    });
    expect(requests.some((request) => request.endsWith('/run'))).toBe(false);
  });

  it('shows how much email there is by age, and who sends most of it, while little of it was read', async () => {
    const { bodies } = renderHome({
      newest: NEWEST,
      survey: {
        ...NO_SURVEY,
        state: 'completed',
        total: 6_719,
        counts: [
          { category: 'promotions', age: 'older', total: 3_000, unread: 2_000, inInbox: 0 },
          { category: 'primary', age: 'three_years', total: 1_200, unread: 0, inInbox: 70 },
          { category: 'primary', age: 'month', total: 2_519, unread: 0, inInbox: 0 },
        ],
        unlisted: 100,
      },
    });
    const card = within(await screen.findByRole('region', { name: 'All your email' }));
    card.getByRole('link', { name: 'older than 3 years 3,000 2,000 unread' });
    card.getByRole('link', { name: 'older than a year 4,200 2,000 unread' });
    card.getByText('Counted without reading: 6,719 emails. Read so far: 100.');
    const senders = await card.findByRole('list', { name: 'Largest senders' });
    const buttons = within(senders).getAllByRole('button');
    expect(buttons.map((button) => button.getAttribute('aria-label') ?? button.textContent)).toEqual([
      'Sender 1 3 emails',
      'Sender 1: Trash 3…',
      'Sender 2 45 emails',
      'Sender 2: Archive 40…',
      'Sender 3 3 emails',
      'Sender 4 3 emails',
      'Sender 4: Archive 8…',
    ]);
    card.getByRole('button', { name: 'older than 3 years: Trash 3,000…' });
    await userEvent.click(card.getByRole('button', { name: 'older than a year: Archive 70…' }));
    await screen.findByRole('dialog');
    expect(bodies).toContainEqual({
      action: 'archive',
      selection: { type: 'filter', scope: 'all', olderThan: 365, except: [] },
    });
  });

  it('offers nothing where nothing can go', async () => {
    renderHome({ newest: [toEmail('l1', 'label')] });
    await screen.findByRole('heading', { name: /^Mailsweep is now reading the rest/ });
    expect(screen.queryByRole('heading', { name: /emails? (are|is|can)/ })).toBeNull();
  });

  it('says so where nothing could be classified, and scans nothing', async () => {
    const { requests } = renderHome({ newest: null });
    await screen.findByText(/^Your newest emails could not be judged/);
    screen.getByRole('button', { name: 'Scan my mailbox' });
    expect(requests).not.toContain('POST /api/v1/scans');
  });

  it('of an empty mailbox has no scan, no offer of one, and no charts', async () => {
    const nothing = { total: 0, unread: 0 };
    const { requests } = renderHome({ newest: [], mailbox: { ...MAILBOX, inbox: nothing, all: 0 } });
    await screen.findByRole('heading', { name: 'Your mailbox is empty' });
    expect(screen.queryByRole('button', { name: 'Scan my mailbox' })).toBeNull();
    expect(screen.queryByRole('region', { name: 'Your mailbox' })).toBeNull();
    expect(requests).not.toContain('POST /api/v1/scans');
  });

  it('counts what the scan finds, while it goes on', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { api } = renderHome({ newest: NEWEST });
    await screen.findByRole('progressbar');
    const findings = [toGroup('bulk', 23), toGroup('receipt', 19, { label: 19 })];
    for (const [found, count] of [
      [1, 23],
      [2, 42],
    ] as const) {
      api.groups = toPage(findings.slice(0, found));
      await act(() => vi.advanceTimersByTimeAsync(COUNTED_AFTER_MS));
      await screen.findByRole('link', { name: new RegExp(`^Review ${count} suggestions`) });
    }
  });
});

describe('a later visit', () => {
  it('neither reads the newest emails again nor scans for who stopped the scan', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const finishedAt = new Date(Date.now() - 12_000).toISOString();
    const scan = sampleScan({ state: 'cancelled', scanned: 300, total: 900, finishedAt });
    const { requests } = renderHome({ scan, newest: NEWEST });
    // The API takes the next one 30 seconds after a cancelled one.
    const button = await screen.findByRole('button', { name: /^Scan again in 1[5-8] s$/ });
    expect(button).toHaveProperty('disabled', true);
    await act(() => vi.advanceTimersByTimeAsync(20_000));
    expect(await screen.findByRole('button', { name: 'Scan again' })).toHaveProperty('disabled', false);
    expect(requests).not.toContain('POST /api/v1/scans');
    expect(requests).not.toContain('GET /api/v1/suggestions?pageSize=30');
  });
});

describe('a cleanup that a program asks for', () => {
  it('comes before everything else', async () => {
    const asked = sampleCleanup({ state: 'awaiting_confirmation', askedBy: 'Assistant', total: 3 });
    renderHome({ scan: DONE, groups: toPage([], COMPLETE), asked: [asked] });
    const request = await screen.findByRole('region', { name: 'Confirmation request' });
    expect(request.textContent).toContain('“Assistant” asks: Archive 3 emails?');
    within(request).getByRole('button', { name: 'Confirm' });
    const heading = await screen.findByRole('heading', { name: 'Nothing left to clean' });
    expect(request.compareDocumentPosition(heading)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  });
});

describe('what can be cleaned', () => {
  it('goes without a question where it is safe and leaves the trash alone; also after the scan', async () => {
    const { bodies, requests, api, queryClient } = renderHome({
      scan: DONE,
      groups: toPage([toGroup('bulk', 5)], {
        ...COMPLETE,
        actionsByDegree: { ...NONE, sure: { archive: 5 } },
      }),
      agreed: { decided: 30, agreed: 29 },
    });
    queryClient.setQueryData(['me'], { userId: 'ada' });
    await screen.findByText('You agreed with 29 of 30 such suggestions.');
    api.mailbox = { ...MAILBOX, inbox: { total: 1_199, unread: 320 } };
    const clean = screen.getByRole('button', { name: 'Archive 5' });
    // Again before anything is drawn.
    act(() => {
      clean.click();
      clean.click();
    });
    await screen.findByRole('heading', { name: 'Inbox: 1,204 → 1,199' });
    expect(bodies.filter(({ action }) => action)).toMatchObject([
      { action: 'accept', selection: { minAcceptance: 0.95 } },
    ]);
    expect(requests.filter((request) => request.endsWith('/run'))).toHaveLength(1);
    expect(screen.getAllByRole('alert')).toHaveLength(1);
    const cleaned = within(screen.getByRole('list', { name: 'Cleaned today' })).getAllByRole('listitem');
    expect(cleaned.map(({ textContent }) => textContent)).toEqual(['GGarden7', 'SShop2']);
    // As a reload does.
    await act(() => queryClient.resetQueries({ queryKey: ['payoff'] }));
    await screen.findByRole('heading', { name: 'Inbox: 1,204 → 1,199' });
    // On the next day, in an open tab and after a reload.
    const yesterday = { before: 1_204, at: Date.now() - 86_400_000, leftOut: '' };
    await act(() => queryClient.setQueryData(['payoff'], yesterday));
    await waitFor(() => expect(screen.queryByRole('heading', { name: /^Inbox:/ })).toBeNull());
    localStorage.setItem('mailsweep.inbox-before.ada', `1204 ${Date.now() - 86_400_000}`);
    await act(() => queryClient.resetQueries({ queryKey: ['payoff'] }));
    await waitFor(() => expect(screen.queryByRole('heading', { name: /^Inbox:/ })).toBeNull());
  });

  it('is asked for first where something safe goes to the trash', async () => {
    const { requests } = renderHome({
      scan: DONE,
      groups: toPage([toGroup('bulk', 5)], {
        ...COMPLETE,
        actionsByDegree: { ...NONE, sure: { archive: 4, delete: 1 } },
      }),
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Archive 4, trash 1…' }));
    await screen.findByRole('dialog');
    expect(requests.some((request) => request.endsWith('/run'))).toBe(false);
  });

  it('can be a whole category, archived or moved to Trash after its plan is shown', async () => {
    const { bodies, requests } = renderHome();
    await userEvent.click(await screen.findByRole('button', { name: 'Promotions: Archive 900…' }));
    const dialog = within(await screen.findByRole('dialog'));
    await dialog.findByRole('button', { name: 'Archive 5' });
    await userEvent.click(dialog.getByRole('radio', { name: 'Trash' }));
    await userEvent.click(await dialog.findByRole('button', { name: 'Trash 5' }));
    const selection = { type: 'filter', scope: 'inbox', category: 'promotions', except: [] };
    expect(bodies.filter(({ action }) => action)).toEqual([
      { action: 'archive', selection },
      { action: 'delete', selection },
    ]);
    await waitFor(() =>
      expect(requests.filter((request) => request.endsWith('/run'))).toEqual([
        'POST /api/v1/cleanups/delete/run',
      ]),
    );
  });

  it('without a network, asks before it archives more than the button says', async () => {
    const { requests } = renderHome({ scan: DONE, groups: toPage([], COMPLETE), planned: 45 });
    const archive = await screen.findByRole('button', { name: 'Sender 2: Archive 40…' });
    window.dispatchEvent(new Event('offline'));
    try {
      await userEvent.click(archive);
      await screen.findByRole('dialog');
    } finally {
      window.dispatchEvent(new Event('online'));
    }
    expect(requests.some((request) => request.endsWith('/run'))).toBe(false);
  });

  it('may be nothing', async () => {
    renderHome({ scan: DONE, groups: toPage([], COMPLETE) });
    await screen.findByRole('heading', { name: 'Nothing left to clean' });
    expect(screen.queryByRole('link', { name: /^Review/ })).toBeNull();
    const wins = await screen.findByRole('list', { name: 'Who still fills your inbox' });
    expect(
      within(wins)
        .getAllByRole('button')
        .map(({ textContent }) => textContent),
    ).toEqual(['Sender 2 40 emails', 'Archive 40…', 'Sender 4 8 emails', 'Archive 8…']);
    const rules = screen.getByRole('link', { name: 'Let rules clean new email' });
    expect(rules.getAttribute('href')).toBe('/rules');
  });

  it('can be asked for again when it does not load', async () => {
    const { api } = renderHome({ scan: DONE, groups: null });
    expect((await screen.findByRole('alert')).textContent).toMatch(/^What can be cleaned is not known/);
    api.groups = toPage([toGroup('bulk', 5)], COMPLETE);
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByRole('link', { name: /^Review 5 suggestions/ });
  });
});

describe('the numbers of the mailbox', () => {
  it('are exact, and lead to their emails', async () => {
    const { address } = renderHome();
    const inbox = await screen.findByRole('link', { name: '1,204 in the inbox' });
    expect(inbox.getAttribute('href')).toBe('/inbox');
    screen.getByRole('link', { name: 'Primary 166' });
    await userEvent.click(screen.getByRole('link', { name: '321 unread' }));
    await waitFor(() => expect(address()).toBe('/inbox?unread=true'));
    cleanup();

    const again = renderHome();
    await userEvent.click(await screen.findByRole('link', { name: 'Promotions 900' }));
    await waitFor(() => expect(again.address()).toBe('/inbox?category=promotions'));
    cleanup();

    const large = renderHome({ mailbox: { ...MAILBOX, inboxCategories: null } });
    await userEvent.click(await screen.findByRole('link', { name: 'Promotions 2,478' }));
    await waitFor(() => expect(large.address()).toBe('/inbox?category=promotions&scope=all'));
  });

  it('do not keep the rest from being shown when they do not load', async () => {
    const { api } = renderHome({ mailbox: null, groups: toPage([toGroup('bulk', 5)], COMPLETE), scan: DONE });
    expect((await screen.findByRole('alert')).textContent).toMatch(/^Your emails were not counted/);
    screen.getByRole('link', { name: /^Review 5 suggestions/ });
    api.mailbox = MAILBOX;
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByRole('link', { name: '1,204 in the inbox' });
  });
});

describe('what was cleaned so far', () => {
  it('is summed up once there is something, and leads to all of it', async () => {
    const { address } = renderHome({ cleaned: { emails: 1_250, bytes: 1_610_612_736, senders: 48 } });
    const cleaned = within(await screen.findByRole('region', { name: 'Cleaned so far' }));
    expect(cleaned.getAllByRole('definition').map(({ textContent }) => textContent)).toEqual([
      '1,250',
      '1.5 GB',
      '48',
    ]);
    await userEvent.click(cleaned.getByRole('link', { name: 'Undo in the history' }));
    await waitFor(() => expect(address()).toBe('/history'));
  });

  it('is left out while it is nothing', async () => {
    const { requests } = renderHome();
    await screen.findByRole('link', { name: '1,204 in the inbox' });
    await waitFor(() => expect(requests).toContain('GET /api/v1/activity'));
    expect(screen.queryByText('Cleaned so far')).toBeNull();
  });
});

describe('how it works', () => {
  it('is shown until the user hides it, for good', async () => {
    renderHome();
    await userEvent.click(await screen.findByRole('button', { name: 'Hide how it works' }));
    expect(screen.queryByText('Undo any time')).toBeNull();
    cleanup();
    renderHome();
    await screen.findByRole('progressbar');
    expect(screen.queryByText('Undo any time')).toBeNull();
  });
});

/** A running scan recounts the suggestions within this time. */
const COUNTED_AFTER_MS = 2_500;

const toGroup = (
  key: string,
  emails: number,
  actions: Record<string, number> = { archive: emails },
): SuggestionGroup => ({
  key,
  by: 'classification',
  from: null,
  classification: key,
  protected: false,
  emails,
  actions,
  classifications: { [key]: emails },
  labels: [],
  leastConfidence: 0.8,
  mostConfidence: 0.95,
  leastAcceptance: 0.95,
  mostAcceptance: 0.95,
  sizeBytes: 1_000,
  newest: '2026-01-31T09:30:00.000Z',
  newestFrom: 'Garden & Home <news@garden.example>',
});

const toPage = (
  data: SuggestionGroup[],
  known: Partial<ListSuggestionGroupsResponse> = {},
): ListSuggestionGroupsResponse => ({
  total: data.length,
  page: 1,
  perPage: 100,
  data,
  emails: data.reduce((sum, { emails }) => sum + emails, 0),
  actions: {},
  confidence: { sure: 0, likely: 0, check: 0 },
  actionsByDegree: NONE,
  complete: false,
  scannedAt: null,
  ...known,
});

const NONE = { sure: {}, likely: {}, check: {} };
const PROBABLE = { actionsByDegree: { ...NONE, likely: { archive: 2, delete: 1, label: 4 } } };

const MAILBOX: MailboxOverview = {
  inbox: { total: 1_204, unread: 321 },
  categories: [
    { category: 'primary', total: 142, unread: 0 },
    { category: 'promotions', total: 2_478, unread: 432 },
    { category: 'social', total: 0, unread: 0 },
    { category: 'updates', total: 388, unread: 1 },
    { category: 'forums', total: 150, unread: 84 },
  ],
  all: 3_158,
  inboxCategories: [
    { category: 'primary', total: 166 },
    { category: 'promotions', total: 900 },
    { category: 'social', total: 0 },
    { category: 'updates', total: 88 },
    { category: 'forums', total: 50 },
  ],
  countedAt: '2026-01-31T09:30:00.000Z',
};

const toEmail = (id: string, action: string): EmailWithSuggestions => ({
  ...sampleEmail(1),
  id,
  suggestions: [
    { action: 'label', classification: 'receipt', confidence_score: 0.5 },
    { action, classification: 'bulk', confidence_score: 0.9 },
  ],
});
const NEWEST = [
  toEmail('a1', 'archive'),
  toEmail('d1', 'delete'),
  toEmail('a2', 'archive'),
  toEmail('l1', 'label'),
];

const SENDERS = [
  sampleSender(1, { inInbox: 0 }),
  sampleSender(2, { inInbox: 40, mails: 45 }),
  sampleSender(3, { inInbox: 90, protected: true }),
  sampleSender(4, { inInbox: 8 }),
];

const toBatch = (id: string, senders: { from: string; emails: number }[], known = {}) => ({
  id,
  startedAt: new Date().toISOString(),
  action: 'archive',
  undone: 0,
  senders: { count: senders.length, top: senders },
  ...known,
});
const GARDEN = { from: 'Garden <news@garden.example>', emails: 5 };
const BATCHES = [
  toBatch('1', [GARDEN, { from: 'Shop <hi@shop.example>', emails: 2 }]),
  toBatch('2', [{ ...GARDEN, emails: 2 }]),
  toBatch('3', [GARDEN], { undone: 5 }),
  toBatch('4', [GARDEN], { action: 'mark_read' }),
  toBatch('5', [GARDEN], { startedAt: '2026-01-01T00:00:00.000Z' }),
];

const NOTHING_CLEANED = { emails: 0, bytes: 0, senders: 0 };

const toActivity = (cleaned: Activity['cleaned']): Activity => ({
  period: null,
  cleaned,
  byAction: {},
  bySource: {},
  decisions: [],
  silencedSenders: 0,
  inboxSizes: [],
});

const NO_SURVEY: Survey = {
  state: 'none',
  total: 0,
  counts: [],
  unlisted: null,
  unitsUsed: 0,
  startedAt: null,
  finishedAt: null,
};

const toPlan = ({ action }: Pick<Cleanup, 'action'>) => ({
  ...sampleCleanup({
    id: action,
    action,
    state: 'planned',
    total: 5,
    plannedActions: { [action === 'accept' ? 'archive' : action]: 5 },
  }),
  sample: [],
});

interface Api {
  scan: Scan | null;
  groups: ListSuggestionGroupsResponse | null;
  mailbox: MailboxOverview | null;
  cleaned: Activity['cleaned'];
  survey: Survey;
  /** The newest emails; null for a classification service that is away. */
  newest: EmailWithSuggestions[] | null;
  /** Cleanups that programs ask for. */
  asked: Cleanup[];
  agreed: { decided: number; agreed: number };
  /** Emails of each plan. */
  planned: number;
}

/** The screen with an API; null fails to load. */
const renderHome = (known: Partial<Api> = {}) => {
  const api: Api = {
    scan: null,
    groups: toPage([]),
    mailbox: MAILBOX,
    cleaned: NOTHING_CLEANED,
    survey: NO_SURVEY,
    newest: [],
    asked: [],
    agreed: { decided: 0, agreed: 0 },
    planned: 5,
    ...known,
  };
  const bodies: Record<string, unknown>[] = [];
  const respond = ({ pathname }: URL, method: string, body: unknown): unknown => {
    if (body) bodies.push(body as Record<string, unknown>);
    const [, run] = /^\/api\/v1\/cleanups\/(.*)\/run$/.exec(pathname) ?? [];
    if (run) return sampleCleanup({ id: run, state: 'completed', total: 5, changed: 5 });
    if (pathname.endsWith('/emails')) return { total: 0, page: 1, perPage: 100, data: [] };
    if (method === 'POST' && pathname === '/api/v1/scans') {
      api.scan = sampleScan({
        state: 'running',
        scanned: 100,
        total: 900,
        etaSeconds: 360,
        startedAt: '2026-01-31T09:30:00.000Z',
      });
      return api.scan;
    }
    switch (pathname) {
      case '/api/v1/scans':
        return { total: 1, page: 1, perPage: 1, data: api.scan ? [api.scan] : [] };
      case '/api/v1/mailbox':
        return api.mailbox ?? toProblem(503, 'mailbox_unavailable');
      case '/api/v1/mailbox/survey':
        return api.survey;
      case '/api/v1/activity':
        return toActivity(api.cleaned);
      case '/api/v1/suggestions/groups':
        return api.groups ?? toProblem(503, 'overloaded');
      case '/api/v1/suggestions':
        return { emails: api.newest ?? [], classified: api.newest !== null, nextPageToken: null };
      case '/api/v1/notifications/history/batches':
        return { total: BATCHES.length, page: 1, perPage: 20, data: BATCHES };
      case '/api/v1/precision':
        return { by: 'week', spans: [], classifications: [], sure: api.agreed, likely: api.agreed };
      case '/api/v1/cleanups':
        return method === 'POST'
          ? { ...toPlan(body as Pick<Cleanup, 'action'>), total: api.planned }
          : { total: 1, page: 1, perPage: 20, data: api.asked };
      case '/api/v1/senders':
        return { total: 4, page: 1, perPage: 100, data: SENDERS, complete: true, scannedAt: null };
      default:
        return api.scan;
    }
  };
  return { ...renderAtRoute(HomeScreen, respond), api, bodies };
};

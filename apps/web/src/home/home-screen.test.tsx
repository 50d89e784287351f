import type {
  Activity,
  Cleanup,
  EmailWithSuggestions,
  ListSuggestionGroupsResponse,
  MailboxOverview,
  Scan,
  SuggestionGroup,
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
  it('says at once what can go, cleans exactly that, and scans the rest by itself, once', async () => {
    const { requests, bodies, api } = renderHome({ newest: NEWEST });
    await screen.findByRole('heading', { name: '3 emails can go: 2 to the archive, 1 to the trash' });
    await screen.findByRole('heading', {
      name: 'Mailsweep is now reading the rest of your mailbox: about 6 minutes',
    });
    await screen.findByRole('button', { name: 'Stop' });
    expect(requests.filter((request) => request.startsWith('POST'))).toEqual(['POST /api/v1/scans']);

    api.mailbox = { ...MAILBOX, inbox: { total: 1_201, unread: 320 } };
    await userEvent.click(screen.getByRole('button', { name: 'Clean' }));
    await screen.findByRole('heading', { name: 'Inbox: 1,204 → 1,201' });
    expect(screen.queryByRole('button', { name: 'Clean' })).toBeNull();
    expect(bodies.filter(({ action }) => action)).toEqual([
      { emailIds: ['a1', 'a2', 'd1'], action: 'accept' },
    ]);
  });

  it('has no card where nothing can go', async () => {
    renderHome({ newest: [toEmail('l1', 'label')] });
    await screen.findByRole('heading', { name: /^Mailsweep is now reading the rest/ });
    expect(screen.queryByRole('heading', { name: /can go/ })).toBeNull();
  });

  it('says so where nothing could be classified, and scans nothing', async () => {
    const { requests } = renderHome({ newest: null });
    await screen.findByText(/^Your newest emails could not be judged/);
    expect(screen.queryByRole('heading', { name: /can go/ })).toBeNull();
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
    const scan = sampleScan({ state: 'cancelled', scanned: 300, total: 900 });
    const { requests } = renderHome({ scan, newest: NEWEST });
    await screen.findByRole('button', { name: 'Scan again' });
    expect(requests).not.toContain('POST /api/v1/scans');
    expect(requests).not.toContain('GET /api/v1/suggestions?pageSize=100');
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
  it('has the three classifications that clear most emails, each the way to its own', async () => {
    const groups = [
      toGroup('receipt', 80, { label: 80 }),
      toGroup('promotions_old', 40, { delete: 40 }),
      toGroup('bulk', 30, { archive: 30 }),
      toGroup('stale_unread', 20, { archive: 15, label: 5 }),
      toGroup('large_attachment', 2, { archive: 2 }),
    ];
    const { address } = renderHome({ scan: DONE, groups: toPage(groups, COMPLETE) });
    await screen.findByRole('link', { name: /^Review 172 suggestions/ });
    const cards = within(screen.getByRole('list', { name: 'Largest groups' }));
    const names = cards.getAllByRole('listitem').flatMap((item) => {
      const link = item.querySelector('a');
      return link ? [link.textContent?.split(',')[0]] : [];
    });
    expect(names).toEqual(['Old promotions 40 emails', 'Bulk email 30 emails', 'Unread for long 20 emails']);
    await screen.findAllByText('Garden & Home');
    await userEvent.click(screen.getByRole('link', { name: /^Bulk email/ }));
    await waitFor(() => expect(address()).toBe('/suggestions?by=reason&show=everything#bulk'));
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
    ).toEqual(['Sender 2 40 emails', 'Sender 4 8 emails']);
    const rules = screen.getByRole('link', { name: 'let rules clean new email' });
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

/** The suggestions are counted again within this time while a scan goes on. */
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
  coverage: Pick<ListSuggestionGroupsResponse, 'complete' | 'scannedAt'> = {
    complete: false,
    scannedAt: null,
  },
): ListSuggestionGroupsResponse => ({
  total: data.length,
  page: 1,
  perPage: 100,
  data,
  emails: data.reduce((sum, { emails }) => sum + emails, 0),
  actions: {},
  confidence: { sure: 0, likely: 0, check: 0 },
  ...coverage,
});

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
  sampleSender(2, { inInbox: 40 }),
  sampleSender(3, { inInbox: 90, protected: true }),
  sampleSender(4, { inInbox: 8 }),
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

interface Api {
  scan: Scan | null;
  groups: ListSuggestionGroupsResponse | null;
  mailbox: MailboxOverview | null;
  cleaned: Activity['cleaned'];
  /** The newest emails; null stands for a classification service that is away. */
  newest: EmailWithSuggestions[] | null;
  /** Cleanups that programs ask for. */
  asked: Cleanup[];
}

/** The screen with an API behind it; null stands for what does not load. */
const renderHome = (known: Partial<Api> = {}) => {
  const api: Api = {
    scan: null,
    groups: toPage([]),
    mailbox: MAILBOX,
    cleaned: NOTHING_CLEANED,
    newest: [],
    asked: [],
    ...known,
  };
  const bodies: Record<string, unknown>[] = [];
  const respond = ({ pathname }: URL, method: string, body: unknown): unknown => {
    if (body) bodies.push(body as Record<string, unknown>);
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
      case '/api/v1/activity':
        return toActivity(api.cleaned);
      case '/api/v1/suggestions/groups':
        return api.groups ?? toProblem(503, 'overloaded');
      case '/api/v1/suggestions':
        return { emails: api.newest ?? [], classified: api.newest !== null, nextPageToken: null };
      case '/api/v1/notifications/confirm':
        return {
          success: true,
          results: NEWEST.slice(0, 3).map(({ id }) => ({ emailId: id, status: 'ok' })),
          data: [{ id: '01900000-0000-7000-8000-000000000002' }],
        };
      case '/api/v1/cleanups':
        return { total: 1, page: 1, perPage: 20, data: api.asked };
      case '/api/v1/senders':
        return { total: 4, page: 1, perPage: 100, data: SENDERS, complete: true, scannedAt: null };
      default:
        return api.scan;
    }
  };
  return { ...renderAtRoute(HomeScreen, respond), api, bodies };
};

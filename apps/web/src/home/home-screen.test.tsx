import type {
  Activity,
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
import { sampleKept, sampleScan } from '../testing/sample-email.ts';
import { HomeScreen } from './home-screen.tsx';

const DONE = sampleScan({ state: 'completed', scanned: 900, total: 900 });
const COMPLETE = { complete: true, scannedAt: '2026-01-31T09:30:00.000Z' };

describe('the home screen before the first scan', () => {
  it('asks, says what is read, and shows the scan once it was agreed to', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
    const { requests, api } = renderHome();
    await screen.findByText(/reads sender, subject, date and labels of every email/);
    await user.click(screen.getByRole('button', { name: 'Scan my mailbox' }));
    await screen.findByRole('progressbar');
    expect(requests.filter((request) => request.startsWith('POST'))).toEqual(['POST /api/v1/scans']);

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

  it('scans the newest emails only when it was put off, and remembers that', async () => {
    const { requests, api } = renderHome();
    const later = await screen.findByRole('button', { name: 'Not now' });
    api.groups = toPage([toGroup('bulk', 3)]);
    await userEvent.click(later);
    await screen.findByRole('link', { name: /^Review 3 suggestions/ });
    expect(requests).toContain('GET /api/v1/suggestions?pageSize=100');
    screen.getByText('In the emails scanned so far.');

    cleanup();
    const again = renderHome({ groups: toPage([]) });
    await screen.findByRole('heading', { name: 'Nothing to clean so far' });
    screen.getByRole('button', { name: 'Scan my mailbox' });
    expect(again.requests).not.toContain('GET /api/v1/suggestions?pageSize=100');
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
  });

  it('of an empty mailbox is nothing', async () => {
    renderHome({ scan: { ...DONE, scanned: 0, total: 0 }, groups: toPage([], COMPLETE) });
    await screen.findByRole('heading', { name: 'Your mailbox is empty' });
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
    screen.getByRole('link', { name: 'Primary 142' });
    await userEvent.click(screen.getByRole('link', { name: '321 unread' }));
    await waitFor(() => expect(address()).toBe('/inbox?unread=true'));
    cleanup();

    const again = renderHome();
    await userEvent.click(await screen.findByRole('link', { name: 'Promotions 432 unread 2,478' }));
    await waitFor(() => expect(again.address()).toBe('/inbox?category=promotions&scope=all'));
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
    await screen.findByRole('button', { name: 'Not now' });
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
  countedAt: '2026-01-31T09:30:00.000Z',
};

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
}

/** The screen with an API behind it; null stands for what does not load. */
const renderHome = (known: Partial<Api> = {}) => {
  const api: Api = { scan: null, groups: toPage([]), mailbox: MAILBOX, cleaned: NOTHING_CLEANED, ...known };
  const respond = ({ pathname }: URL, method: string): unknown => {
    if (method === 'POST' && pathname === '/api/v1/scans') {
      api.scan = sampleScan({
        state: 'running',
        scanned: 100,
        total: 900,
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
      case '/api/v1/suggestions/stored':
        return { total: 1, page: 1, perPage: 1, data: [sampleKept(1)] };
      case '/api/v1/suggestions':
        return { emails: [] as EmailWithSuggestions[], classified: true, nextPageToken: null };
      default:
        return api.scan;
    }
  };
  return { ...renderAtRoute(HomeScreen, respond), api };
};

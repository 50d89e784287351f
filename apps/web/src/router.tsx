import { SUMMARY_PERIODS, type SummaryPeriod } from '@mailsweep/contracts';
import { createRootRouteWithContext, createRoute, createRouter } from '@tanstack/react-router';
import { readChoice, type Search } from './address/read-search.ts';
import { toAddress } from './address/shown-mailbox.ts';
import type { PrefetchContext } from './api/api-context.tsx';
import { sendersQuery } from './api/senders-query.ts';
import { newestEmailsQuery } from './api/suggestions-query.ts';
import { readAuthorizeSearch } from './authorize/authorize-search.ts';
import { ScreenError } from './feedback/error-state.tsx';
import { type HistoryFilters, historyQuery, readHistoryFilters } from './history/filters/history-filters.ts';
import { cleanedQuery, clearableQuery, mailboxQuery } from './home/home-queries.ts';
import { inboxQuery, readInboxSearch, toServerFilters } from './inbox/filters/inbox-filters.ts';
import { lazyPart } from './lazy-parts/lazy-part.ts';
import { prefetchFirstGroups, type ReviewFilters, readReviewSearch } from './review/queue/review-filters.ts';
import { isFirstVisit, newestScanQuery } from './scan/use-scan.ts';
import { SenderSheetProvider } from './sender-sheet/sender-sheet-provider.tsx';
import { readSenderFilters, type SenderFilters } from './senders/list/sender-filters.ts';
import { meQuery } from './session/use-mailbox.ts';
import { readSettingsSearch } from './settings/stored-data/settings-search.ts';
import { AppShell } from './shell/app-shell.tsx';

/** The previewed rule, as in the address. */
const readRulesSearch = ({ preview }: Search): { preview?: string } =>
  typeof preview === 'string' ? { preview } : {};

/** The period of the activity, as in the address; by default all time. */
const readActivityFilters = (search: Search): { period?: SummaryPeriod } => ({
  period: readChoice(search.period, SUMMARY_PERIODS),
});

const rootRoute = createRootRouteWithContext<PrefetchContext>()({
  notFoundComponent: lazyPart(async () => (await import('./shell/not-found.tsx')).NotFound),
});

const RepeatOffer = lazyPart(async () => (await import('./interrupted/repeat-offer.tsx')).RepeatOffer);
const UndoOffer = lazyPart(async () => (await import('./history/undo/undo-offer.tsx')).UndoOffer);

const appRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'app',
  // Requested while the screen loads; the frame waits for the response.
  loader: ({ context }) => {
    void context.queryClient.prefetchQuery(meQuery(context.api.client));
  },
  component: () => (
    <SenderSheetProvider>
      <AppShell repeatOffer={<RepeatOffer />} UndoOffer={UndoOffer} />
    </SenderSheetProvider>
  ),
});

const inboxRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/inbox',
  validateSearch: readInboxSearch,
  loaderDeps: ({ search: { email: _email, ...filters } }) => toServerFilters(filters),
  loader: ({ context, deps, cause }) => {
    // Opening a dialog is no reason to request the list again.
    if (cause !== 'stay')
      void context.queryClient.prefetchInfiniteQuery(inboxQuery(context.api.client, deps));
  },
  component: lazyPart(async () => (await import('./inbox/inbox-screen.tsx')).InboxScreen),
});

/**
 * Requests a screen's first data while its code loads. Not on hovering a link, as some requests count, nor when
 * staying.
 */
const onEnter =
  <Deps,>(prefetch: (context: PrefetchContext, deps: Deps) => void) =>
  (loading: { context: PrefetchContext; cause: 'preload' | 'enter' | 'stay'; deps: Deps }): void => {
    if (loading.cause === 'enter') prefetch(loading.context, loading.deps);
  };

const homeRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/',
  loader: onEnter(({ api: { client }, queryClient }) => {
    void queryClient.prefetchQuery(mailboxQuery(client));
    void queryClient.prefetchQuery(newestScanQuery(client)).then(() => {
      if (isFirstVisit(queryClient.getQueryData(newestScanQuery(client).queryKey)))
        return queryClient.prefetchQuery(newestEmailsQuery(client));
    });
    void queryClient.prefetchQuery(clearableQuery(client));
    void queryClient.prefetchQuery(cleanedQuery(client));
  }),
  component: lazyPart(async () => (await import('./home/home-screen.tsx')).HomeScreen),
});
const suggestionsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/suggestions',
  validateSearch: readReviewSearch,
  loaderDeps: ({ search: { email: _email, ...filters } }) => filters,
  loader: onEnter((context, filters: ReviewFilters) => {
    void prefetchFirstGroups(context, filters);
    void context.queryClient.prefetchQuery(newestScanQuery(context.api.client));
  }),
  component: lazyPart(async () => (await import('./review/suggestions-screen.tsx')).SuggestionsScreen),
});
const sendersRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/senders',
  validateSearch: readSenderFilters,
  loaderDeps: ({ search: { by, sort } }) => ({ by, sort }),
  loader: onEnter(({ api: { client }, queryClient }, filters: Pick<SenderFilters, 'by' | 'sort'>) => {
    void queryClient.prefetchQuery(newestScanQuery(client));
    void queryClient.prefetchInfiniteQuery(sendersQuery(client, filters));
  }),
  component: lazyPart(async () => (await import('./senders/senders-screen.tsx')).SendersScreen),
});
const historyRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/history',
  validateSearch: readHistoryFilters,
  loaderDeps: ({ search }) => search,
  loader: onEnter(({ api: { client }, queryClient }, filters: HistoryFilters) => {
    void queryClient.prefetchInfiniteQuery(historyQuery(client, filters));
  }),
  component: lazyPart(async () => (await import('./history/history-screen.tsx')).HistoryScreen),
});
const activityRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/activity',
  validateSearch: readActivityFilters,
  component: lazyPart(async () => (await import('./activity/activity-screen.tsx')).ActivityScreen),
});
const rulesRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/rules',
  validateSearch: readRulesSearch,
  component: lazyPart(async () => (await import('./rules/rules-screen.tsx')).RulesScreen),
});
const precisionRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/precision',
  component: lazyPart(async () => (await import('./precision/precision-screen.tsx')).PrecisionScreen),
});
const settingsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/settings',
  validateSearch: readSettingsSearch,
  component: lazyPart(async () => (await import('./settings/settings-screen.tsx')).SettingsScreen),
});

// Without the frame: a program leads to this one question.
const authorizeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/authorize',
  validateSearch: readAuthorizeSearch,
  component: lazyPart(async () => (await import('./authorize/authorize-screen.tsx')).AuthorizeScreen),
});

const routeTree = rootRoute.addChildren([
  authorizeRoute,
  appRoute.addChildren([
    homeRoute,
    inboxRoute,
    suggestionsRoute,
    sendersRoute,
    historyRoute,
    activityRoute,
    rulesRoute,
    precisionRoute,
    settingsRoute,
  ]),
]);

export const createAppRouter = (context: PrefetchContext) =>
  createRouter({
    routeTree,
    basepath: toAddress('/'),
    context,
    defaultPreload: 'intent',
    defaultErrorComponent: ScreenError,
    scrollRestoration: false,
  });

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}

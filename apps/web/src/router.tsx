import { createRootRouteWithContext, createRoute, createRouter } from '@tanstack/react-router';
import { readActivityFilters } from './activity/activity-filters.ts';
import type { PrefetchContext } from './api/api-context.tsx';
import { readAuthorizeSearch } from './authorize/authorize-search.ts';
import { ScreenError } from './feedback/error-state.tsx';
import { type HistoryFilters, readHistoryFilters } from './history/filters/history-filters.ts';
import { historyQuery } from './history/filters/history-query.ts';
import { cleanedQuery, clearableQuery, mailboxQuery } from './home/home-queries.ts';
import { readInboxSearch, toServerFilters } from './inbox/filters/inbox-filters.ts';
import { inboxQuery } from './inbox/filters/inbox-query.ts';
import { lazyPart } from './parts/lazy-part.ts';
import { sendersQuery } from './queries/senders-query.ts';
import { newestEmailsQuery } from './queries/suggestions-query.ts';
import { prefetchFirstGroups } from './review/queue/first-shown.ts';
import { type ReviewFilters, readReviewSearch } from './review/queue/review-filters.ts';
import { readRulesSearch } from './rules/rules-search.ts';
import { isFirstVisit, newestScanQuery } from './scan/scan-query.ts';
import { SenderSheetProvider } from './sender-sheet/sender-sheet-provider.tsx';
import { readSenderFilters, type SenderFilters } from './senders/list/sender-filters.ts';
import { meQuery } from './session/me-query.ts';
import { readSettingsSearch } from './settings/stored-data/settings-search.ts';
import { AppShell } from './shell/app-shell.tsx';

const rootRoute = createRootRouteWithContext<PrefetchContext>()({
  notFoundComponent: lazyPart(async () => (await import('./shell/not-found.tsx')).NotFound),
});

const RepeatOffer = lazyPart(async () => (await import('./interrupted/repeat-offer.tsx')).RepeatOffer);
const UndoOffer = lazyPart(async () => (await import('./history/undo/undo-offer.tsx')).UndoOffer);

const appRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'app',
  // Requested while the screen is still loading; the frame waits for the response.
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
    // A dialog that opens or closes is no reason to request the list again.
    if (cause !== 'stay')
      void context.queryClient.prefetchInfiniteQuery(inboxQuery(context.api.client, deps));
  },
  component: lazyPart(async () => (await import('./inbox/inbox-screen.tsx')).InboxScreen),
});

/**
 * Requests what a screen shows first while its code is still loading. Not when a link to it is only pointed at, for some
 * requests count; nor when it stays.
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
  loaderDeps: ({ search }) => ({ sort: search.sort }),
  loader: onEnter(({ api: { client }, queryClient }, { sort }: SenderFilters) => {
    void queryClient.prefetchQuery(newestScanQuery(client));
    void queryClient.prefetchInfiniteQuery(sendersQuery(client, sort ?? 'mails'));
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

// Without the frame: a page with one question, to which a program leads.
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

/** The addresses of the app. */
export const createAppRouter = (context: PrefetchContext) =>
  createRouter({
    routeTree,
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

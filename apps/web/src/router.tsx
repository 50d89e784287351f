import { createRootRouteWithContext, createRoute, createRouter } from '@tanstack/react-router';
import { ActivityFiltersSchema } from './activity/activity-filters.ts';
import type { PrefetchContext } from './api/api-context.tsx';
import { ScreenError } from './feedback/screen-error.tsx';
import { HistoryFiltersSchema } from './history/history-filters.ts';
import { InboxSearchSchema, toServerFilters } from './inbox/inbox-filters.ts';
import { inboxQuery } from './inbox/inbox-query.ts';
import { lazyPart } from './parts/lazy-part.ts';
import { ReviewSearchSchema } from './review/review-filters.ts';
import { SenderFiltersSchema } from './senders/sender-filters.ts';
import { meQuery } from './session/me-query.ts';
import { SettingsSearchSchema } from './settings/settings-search.ts';
import { AppShell } from './shell/app-shell.tsx';

const rootRoute = createRootRouteWithContext<PrefetchContext>()({
  notFoundComponent: lazyPart(async () => (await import('./shell/not-found.tsx')).NotFound),
});

const RepeatOffer = lazyPart(async () => (await import('./interrupted/repeat-offer.tsx')).RepeatOffer);

const appRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'app',
  // Requested while the screen is still loading; the frame waits for the response.
  loader: ({ context }) => {
    void context.queryClient.prefetchQuery(meQuery(context.api.client));
  },
  component: () => <AppShell repeatOffer={<RepeatOffer />} />,
});

const inboxRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/inbox',
  validateSearch: InboxSearchSchema,
  loaderDeps: ({ search: { email: _email, ...filters } }) => toServerFilters(filters),
  loader: ({ context, deps }) => {
    void context.queryClient.prefetchInfiniteQuery(inboxQuery(context.api.client, deps));
  },
  component: lazyPart(async () => (await import('./inbox/inbox-screen.tsx')).InboxScreen),
});
/**
 * Lets a screen ask for what it shows first once its code is there, before it is drawn. Not when a link to it is only
 * pointed at, for some requests count; nor when it stays. If its code did not load, the screen itself shows that.
 */
const onEnter = async <Screen,>(
  cause: 'preload' | 'enter' | 'stay',
  load: () => Promise<Screen>,
  prefetch: (screen: Screen) => void,
): Promise<void> => {
  if (cause === 'enter') await load().then(prefetch, () => undefined);
};

const homeScreen = () => import('./home/home-screen.tsx');
const suggestionsScreen = () => import('./review/suggestions-screen.tsx');
const sendersScreen = () => import('./senders/senders-screen.tsx');
const historyScreen = () => import('./history/history-screen.tsx');

const homeRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/',
  loader: ({ context, cause }) => onEnter(cause, homeScreen, (screen) => screen.prefetchHome(context)),
  component: lazyPart(async () => (await homeScreen()).HomeScreen),
});
const suggestionsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/suggestions',
  validateSearch: ReviewSearchSchema,
  loaderDeps: ({ search: { email: _email, ...filters } }) => filters,
  loader: ({ context, cause, deps }) =>
    onEnter(cause, suggestionsScreen, (screen) => screen.prefetchSuggestions(context, deps)),
  component: lazyPart(async () => (await suggestionsScreen()).SuggestionsScreen),
});
const sendersRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/senders',
  validateSearch: SenderFiltersSchema,
  loaderDeps: ({ search }) => ({ sort: search.sort }),
  loader: ({ context, cause, deps }) =>
    onEnter(cause, sendersScreen, (screen) => screen.prefetchSenders(context, deps)),
  component: lazyPart(async () => (await sendersScreen()).SendersScreen),
});
const historyRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/history',
  validateSearch: HistoryFiltersSchema,
  loaderDeps: ({ search }) => search,
  loader: ({ context, cause, deps }) =>
    onEnter(cause, historyScreen, (screen) => screen.prefetchHistory(context, deps)),
  component: lazyPart(async () => (await historyScreen()).HistoryScreen),
});
const activityRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/activity',
  validateSearch: ActivityFiltersSchema,
  component: lazyPart(async () => (await import('./activity/activity-screen.tsx')).ActivityScreen),
});
const rulesRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/rules',
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
  validateSearch: SettingsSearchSchema,
  component: lazyPart(async () => (await import('./settings/settings-screen.tsx')).SettingsScreen),
});

const routeTree = rootRoute.addChildren([
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

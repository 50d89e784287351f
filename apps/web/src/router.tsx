import { createRootRouteWithContext, createRoute, createRouter, redirect } from '@tanstack/react-router';
import { ActivityFiltersSchema } from './activity/activity-filters.ts';
import type { PrefetchContext } from './api/api-context.tsx';
import { ScreenError } from './feedback/screen-error.tsx';
import { HistoryFiltersSchema } from './history/history-filters.ts';
import { InboxSearchSchema, toServerFilters } from './inbox/inbox-filters.ts';
import { inboxQuery } from './inbox/inbox-query.ts';
import { lazyPart } from './parts/lazy-part.ts';
import { SenderFiltersSchema } from './senders/sender-filters.ts';
import { meQuery } from './session/me-query.ts';
import { HOME } from './session/remembered-place.ts';
import { SettingsSearchSchema } from './settings/settings-search.ts';
import { AppShell } from './shell/app-shell.tsx';
import { NotFound } from './shell/not-found.tsx';
import { SuggestionFiltersSchema } from './suggestions/suggestion-filters.ts';

const rootRoute = createRootRouteWithContext<PrefetchContext>()({ notFoundComponent: NotFound });

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

const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ href: HOME, replace: true });
  },
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

const suggestionsScreen = () => import('./suggestions/suggestions-screen.tsx');
const sendersScreen = () => import('./senders/senders-screen.tsx');
const historyScreen = () => import('./history/history-screen.tsx');

const suggestionsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/suggestions',
  validateSearch: SuggestionFiltersSchema,
  loader: ({ context, cause }) =>
    onEnter(cause, suggestionsScreen, (screen) => screen.prefetchSuggestions(context)),
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
const settingsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/settings',
  validateSearch: SettingsSearchSchema,
  component: lazyPart(async () => (await import('./settings/settings-screen.tsx')).SettingsScreen),
});

const routeTree = rootRoute.addChildren([
  homeRoute,
  appRoute.addChildren([
    inboxRoute,
    suggestionsRoute,
    sendersRoute,
    historyRoute,
    activityRoute,
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

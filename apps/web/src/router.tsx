import { SignInErrorSchema } from '@mailsweep/contracts';
import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { z } from 'zod';
import { ActivityFiltersSchema } from './activity/activity-filters.ts';
import type { Api } from './api/api-context.tsx';
import { ErrorState } from './feedback/error-state.tsx';
import { HistoryFiltersSchema } from './history/history-filters.ts';
import { InboxFiltersSchema, toServerFilters } from './inbox/inbox-filters.ts';
import { inboxQuery } from './inbox/inbox-query.ts';
import { InboxScreen } from './inbox/inbox-screen.tsx';
import { meQuery } from './session/me-query.ts';
import { HOME, takeRememberedPlace } from './session/remembered-place.ts';
import { SIGN_IN_REASONS } from './session/session-watch.ts';
import { AppShell } from './shell/app-shell.tsx';
import { NotFound } from './shell/not-found.tsx';
import { SignInScreen } from './sign-in/sign-in-screen.tsx';
import { SuggestionFiltersSchema } from './suggestions/suggestion-filters.ts';

interface RouterContext {
  api: Api;
  queryClient: QueryClient;
}

const rootRoute = createRootRouteWithContext<RouterContext>()({ notFoundComponent: NotFound });

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: z.object({
    reason: z.enum(SIGN_IN_REASONS).optional().catch(undefined),
    error: SignInErrorSchema.optional().catch('provider_error'),
  }),
  component: SignInScreen,
});

/** The API leads here after the provider's sign-in; the screen the person wanted is one redirect away. */
const callbackRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/auth/callback',
  validateSearch: z.object({ error: z.string().optional() }),
  beforeLoad: ({ search, context }) => {
    const error = SignInErrorSchema.safeParse(search.error);
    if (search.error !== undefined) {
      throw redirect({ to: '/sign-in', search: { error: error.success ? error.data : 'provider_error' } });
    }
    context.queryClient.clear();
    throw redirect({ href: takeRememberedPlace(), replace: true });
  },
});

const appRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'app',
  // Asked for while the screen itself is still on its way; the frame waits for the answer.
  loader: ({ context }) => {
    void context.queryClient.prefetchQuery(meQuery(context.api.client));
  },
  component: AppShell,
  errorComponent: ({ error, reset }) => <ErrorState error={error} onRetry={reset} />,
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
  validateSearch: InboxFiltersSchema,
  loaderDeps: ({ search }) => toServerFilters(search),
  loader: ({ context, deps }) => {
    void context.queryClient.prefetchInfiniteQuery(inboxQuery(context.api.client, deps));
  },
  // Most visits begin here, so that it comes with the app itself; every other screen comes when it is wanted.
  component: InboxScreen,
});
const suggestionsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/suggestions',
  validateSearch: SuggestionFiltersSchema,
  component: lazyRouteComponent(() => import('./suggestions/suggestions-screen.tsx'), 'SuggestionsScreen'),
});
const historyRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/history',
  validateSearch: HistoryFiltersSchema,
  component: lazyRouteComponent(() => import('./history/history-screen.tsx'), 'HistoryScreen'),
});
const activityRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/activity',
  validateSearch: ActivityFiltersSchema,
  component: lazyRouteComponent(() => import('./activity/activity-screen.tsx'), 'ActivityScreen'),
});
const settingsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/settings',
  component: lazyRouteComponent(() => import('./settings/settings-screen.tsx'), 'SettingsScreen'),
});

const routeTree = rootRoute.addChildren([
  homeRoute,
  signInRoute,
  callbackRoute,
  appRoute.addChildren([inboxRoute, suggestionsRoute, historyRoute, activityRoute, settingsRoute]),
]);

/** The addresses of the app. */
export const createAppRouter = (context: RouterContext) =>
  createRouter({ routeTree, context, defaultPreload: 'intent', scrollRestoration: false });

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}

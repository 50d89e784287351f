import { QueryClient } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  type RouteComponent,
  RouterProvider,
} from '@tanstack/react-router';
import { render } from '@testing-library/react';
import { createHookWrapper } from './hook-wrapper.tsx';

/** Addresses that links may lead to. */
const SCREENS = [
  '/',
  '/inbox',
  '/suggestions',
  '/senders',
  '/history',
  '/activity',
  '/settings',
  '/rules',
] as const;

/**
 * Renders a component as a screen, by default the home screen, with the app's surroundings.
 *
 * @param respond - the API: returns a body or a whole response; `body` is the request's
 * @returns the requests so far as `GET /api/v1/senders?page=1`, and the address bar
 */
export const renderAtRoute = (
  component: RouteComponent,
  respond: (url: URL, method: string, body: unknown) => unknown,
  place: (typeof SCREENS)[number] = '/',
) => {
  const requests: string[] = [];
  const fetch = async (resource: string | URL | Request, init: RequestInit = {}) => {
    const url = new URL(String(resource));
    const method = init.method ?? 'GET';
    requests.push(`${method} ${url.pathname}${url.search}`);
    const sent = typeof init.body === 'string' ? JSON.parse(init.body) : undefined;
    const body = await respond(url, method, sent);
    return body instanceof Response ? body : Response.json(body);
  };
  const root = createRootRoute();
  const app = createRoute({ getParentRoute: () => root, id: 'app' });
  const screens = SCREENS.map((path) =>
    createRoute({
      getParentRoute: () => app,
      path,
      validateSearch: (search: Record<string, unknown>) => search,
      component: path === place ? component : () => null,
    }),
  );
  const router = createRouter({
    routeTree: root.addChildren([app.addChildren(screens)]),
    history: createMemoryHistory({ initialEntries: [place] }),
  });
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const Wrapper = createHookWrapper(fetch, queryClient);
  render(
    <Wrapper>
      <RouterProvider router={router as never} />
    </Wrapper>,
  );
  return { requests, queryClient, router, address: () => router.state.location.href };
};

/** A problem document of the API. */
export const toProblem = (status: number, code: string): Response =>
  Response.json(
    {
      type: 'about:blank',
      title: 'Title',
      status,
      detail: 'Detail.',
      instance: '/',
      code,
      requestId: 'request-1',
    },
    { status },
  );

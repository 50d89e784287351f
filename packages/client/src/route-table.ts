import { API_ROUTES, type RouteContract } from '@mailsweep/contracts';

/** What a request needs of its route. */
export type ClientRoute = Pick<RouteContract, 'method' | 'path' | 'idempotent' | 'conditional'>;

/** The routes without their schemas, which the build puts here (`rolldown.config.ts`). */
export const ROUTES: Record<keyof typeof API_ROUTES, ClientRoute> = Object.fromEntries(
  Object.entries<RouteContract>(API_ROUTES).map(([id, { method, path, idempotent, conditional }]) => [
    id,
    { method, path, idempotent, conditional },
  ]),
) as Record<keyof typeof API_ROUTES, ClientRoute>;

import { API_ROUTES, type RouteContract } from '@mailsweep/contracts';

/**
 * What the app needs of each route, for `define`. Schemas and documentation stay out of the app: with the validation
 * library, a slow phone needs as long for them as for a whole screen.
 */
export const defineClientRoutes = () => ({
  __CLIENT_ROUTES__: Object.fromEntries(
    Object.entries<RouteContract>(API_ROUTES).map(([name, { method, path, idempotent, conditional }]) => [
      name,
      { method, path, idempotent, conditional },
    ]),
  ),
});

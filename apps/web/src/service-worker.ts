import { matchPrecache, type PrecacheEntry, precacheAndRoute } from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';
import { receivePush } from './push/receive-push.ts';

/*
 * Caches the app itself, never email: it starts offline, and an open tab keeps all its parts after a deploy. Pages
 * come from the network if there is one, so that a deploy shows on the next visit. Also receives notifications.
 */

/** The build replaces it (`scripts/list-app-files.ts`). */
declare const __APP_FILES__: PrecacheEntry[];

/** Nothing else requests these addresses, so others always get pages from the network. */
const SIGN_IN_PAGE = '/sign-in?cached';
const APP_PAGE = '/?cached';

/** Paths that are not the app's on a shared origin, including the return of sign-ins. */
const OTHERS = /^\/(api|auth|docs|mcp|oauth|openapi\.json|\.well-known)(?![\w-])/;

precacheAndRoute(__APP_FILES__, { directoryIndex: '', cleanURLs: false });

registerRoute(
  new NavigationRoute(
    async ({ request, url }) => {
      try {
        return await fetch(request);
      } catch (error) {
        const cached = await matchPrecache(url.pathname === '/sign-in' ? SIGN_IN_PAGE : APP_PAGE);
        if (cached === undefined) throw error;
        return cached;
      }
    },
    { denylist: [OTHERS] },
  ),
);

receivePush(globalThis as never);

import { matchPrecache, type PrecacheEntry, precacheAndRoute } from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';
import { receivePush } from './push/receive-push.ts';

/*
 * Caches the app itself, never email: it starts without a network, and an open tab has all its parts after a deploy.
 * Pages come from the network where there is one, so that a deploy shows on the next visit. Notifications arrive here, too.
 */

/** Put in place of the name by the build (`scripts/list-app-files.ts`). */
declare const __APP_FILES__: PrecacheEntry[];

/** Addresses of the two pages that nothing else asks for, so that everyone else gets them from the network. */
const SIGN_IN_PAGE = '/sign-in?cached';
const APP_PAGE = '/?cached';

precacheAndRoute(__APP_FILES__, { directoryIndex: '', cleanURLs: false });

registerRoute(
  new NavigationRoute(async ({ request, url }) => {
    try {
      return await fetch(request);
    } catch (error) {
      const cached = await matchPrecache(url.pathname === '/sign-in' ? SIGN_IN_PAGE : APP_PAGE);
      if (cached === undefined) throw error;
      return cached;
    }
  }),
);

receivePush(globalThis as never);

import { t } from '@lingui/core/macro';
import { useEffect } from 'react';
import { showToast } from '../feedback/toasts.tsx';
import { isNewVersionOut } from '../parts/new-version.ts';
import { useReload } from '../parts/use-reload.ts';

/** How often an open tab looks for another version, beyond what the browser does by itself. Unit: milliseconds. */
const UPDATE_INTERVAL_MS = 60 * 60_000;

/** Calls back once another version than that of this page is installed. @returns a function that ends it */
const watchForUpdates = (registration: ServiceWorkerRegistration, onUpdate: () => void): (() => void) => {
  const watch = () => {
    const worker = registration.installing;
    worker?.addEventListener('statechange', async () => {
      // After a deploy the page itself may be new already: it came from the network.
      if (worker.state === 'installed' && (await isNewVersionOut())) onUpdate();
    });
  };
  registration.addEventListener('updatefound', watch);
  // Where there is no network, there is no other version.
  const look = () => void registration.update().catch(() => undefined);
  const timer = setInterval(look, UPDATE_INTERVAL_MS);
  return () => {
    registration.removeEventListener('updatefound', watch);
    clearInterval(timer);
  };
};

/**
 * Has the service worker cache the files of the app, so that it starts offline and loses no part after a deploy. Tells the
 * user of a new version.
 */
export const useCachedApp = (): void => {
  const reload = useReload();
  useEffect(() => {
    // The development server has no service worker, and neither has a page without TLS.
    if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
    const announce = () =>
      showToast({
        title: t`A new version of Mailsweep is available.`,
        tone: 'done',
        isLasting: true,
        action: { label: t`Reload`, run: () => reload() },
      });
    // A browser may refuse storage, and what blocks service workers may return nothing; the app works without.
    const watching = navigator.serviceWorker.register('/service-worker.js').then(
      (registration?: ServiceWorkerRegistration) => registration && watchForUpdates(registration, announce),
      () => undefined,
    );
    return () => void watching.then((stop) => stop?.());
  }, [reload]);
};

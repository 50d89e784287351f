import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { Scan } from '@mailsweep/contracts';
import { IconWifiOff } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useRouter } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { toAddress } from '../address/shown-mailbox.ts';
import { useApi } from '../api/api-context.tsx';
import { useConnection } from '../api/connection.ts';
import { connectTabs } from '../api/other-tabs.ts';
import { focusFallback } from '../controls/use-returned-focus.ts';
import { formatShare } from '../email/counts.ts';
import { showToast } from '../feedback/toasts.tsx';
import { useShortcuts } from '../keyboard/keyboard-context.tsx';
import { isNewVersionOut } from '../lazy-parts/lazy-part.ts';
import { useReload } from '../lazy-parts/part-boundary.tsx';
import { toMailboxName, toSeveralKey, useOwnMailboxes } from '../mailboxes/own-mailboxes.ts';
import { restorePush } from '../push/device-push.ts';
import { describeEnd, describeStop } from '../scan/scan-words.ts';
import { followedScanQuery, isInProgress } from '../scan/use-scan.ts';
import { isKept } from '../session/kept-work.ts';
import { takeAdded } from '../session/return-from-sign-in.ts';
import { storeText } from '../session/store-text.ts';
import { useMe } from '../session/use-mailbox.ts';
import shapes from '../shapes.module.css';
import classes from './after-first-screen.module.css';

/** These show the end of a scan themselves. */
const SCREENS_WITH_SCAN = ['/', '/senders', '/suggestions'];

const useEndNotice = (scan: Scan | null | undefined): void => {
  const navigate = useNavigate();
  const router = useRouter();
  const runningId = useRef<string | null>(null);
  useEffect(() => {
    if (!scan) return;
    if (isInProgress(scan)) {
      runningId.current = scan.id;
      return;
    }
    const hasJustEnded = runningId.current === scan.id;
    runningId.current = null;
    if (!hasJustEnded || scan.state === 'cancelled') return;
    if (SCREENS_WITH_SCAN.includes(router.state.location.pathname)) return;
    const isDone = scan.state === 'completed';
    showToast({
      ...(isDone ? describeEnd(scan) : describeStop(scan)),
      tone: isDone ? 'done' : 'failed',
      action: {
        label: isDone ? t`See what it found` : t`See why`,
        run: () => void navigate({ to: '/senders', search: isDone ? { sort: 'suggested' as const } : {} }),
      },
    });
  }, [scan, navigate, router]);
};

/** Progress and end of a scan, on every screen. */
const ScanStatus = () => {
  const { data: scan } = useQuery(followedScanQuery(useApi().client));
  useEndNotice(scan);
  if (!scan || !isInProgress(scan)) return null;
  const share = scan.total > scan.scanned ? scan.scanned / scan.total : null;
  return (
    <Link to="/senders" className={classes.status} title={t`See how the scan of your mailbox goes`}>
      <span className={classes.words}>
        <span className={classes.name}>
          {scan.state === 'waiting' ? t`Scan is waiting` : t`Scanning mailbox`}
        </span>{' '}
        {share !== null && <span className={classes.share}>{formatShare(share)}</span>}
      </span>
      <span className={`${shapes.track} ${classes.track}`} aria-hidden="true">
        <span className={`${shapes.bar} ${classes.bar}`} style={{ inlineSize: `${(share ?? 0) * 100}%` }} />
      </span>
    </Link>
  );
};

const CONTROLS = 'a[href], button:not(:disabled), input:not(:disabled), select';

/** Where the focus is, in case its element goes away. */
interface Place {
  element: Element;
  /** The list, the index of the item, and the control within it. */
  list?: { element: Element; item: number; control: number } | undefined;
}

const toPlace = (element: Element): Place => {
  const item = element.closest('#main li');
  const list = item?.parentElement;
  if (!item || !list) return { element };
  return {
    element,
    list: {
      element: list,
      item: [...list.children].indexOf(item),
      control: [...item.querySelectorAll(CONTROLS)].indexOf(element),
    },
  };
};

/** The same control of the item that moved up, or of the one before. */
const findInList = ({ list }: Place): Element | undefined => {
  if (!list?.element.isConnected) return undefined;
  const item = list.element.children[list.item] ?? list.element.lastElementChild;
  const controls = item?.querySelectorAll(CONTROLS);
  return controls?.[list.control] ?? controls?.[0];
};

const findFallback = (): Element | null =>
  document.querySelector('#main [role=row][tabindex="0"]') ??
  document.querySelector('#main h1') ??
  document.getElementById('main');

/**
 * Moves the focus on when its element goes away with an email, a toast or a pane; the browser would reset it to the
 * top of the page.
 */
const useKeptFocus = (): void => {
  useEffect(() => {
    let last: Place | null = null;
    let lastInMain: Element | null = null;
    let frame = 0;
    const onFocus = ({ target }: FocusEvent) => {
      if (!(target instanceof Element)) return;
      last = toPlace(target);
      if (target.closest('#main')) lastInMain = target;
    };
    const restore = () => {
      if (!last || last.element.isConnected || document.activeElement !== document.body) return;
      const found = findInList(last) ?? (lastInMain?.isConnected ? lastInMain : findFallback());
      if (found?.matches('h1')) found.setAttribute('tabindex', '-1');
      if (found instanceof HTMLElement) focusFallback(found);
    };
    // The screen itself moves the focus first.
    const observer = new MutationObserver(() => {
      if (document.activeElement !== document.body) return;
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(restore);
    });
    document.addEventListener('focusin', onFocus);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      cancelAnimationFrame(frame);
      document.removeEventListener('focusin', onFocus);
      observer.disconnect();
    };
  }, []);
};

/** How often an open tab checks for a new version. Unit: milliseconds. */
const UPDATE_INTERVAL_MS = 60 * 60_000;

/** Calls back once another version is installed. @returns a function that stops */
const watchForUpdates = (registration: ServiceWorkerRegistration, onUpdate: () => void): (() => void) => {
  const watch = () => {
    const worker = registration.installing;
    worker?.addEventListener('statechange', async () => {
      // The page may already be new: it came from the network.
      if (worker.state === 'installed' && (await isNewVersionOut())) onUpdate();
    });
  };
  registration.addEventListener('updatefound', watch);
  // Without a network there is no other version.
  const look = () => void registration.update().catch(() => undefined);
  const timer = setInterval(look, UPDATE_INTERVAL_MS);
  return () => {
    registration.removeEventListener('updatefound', watch);
    clearInterval(timer);
  };
};

/**
 * Caches the app's files, so that it starts offline and keeps its parts after a deploy. Tells the user of new
 * versions.
 */
const useCachedApp = (): void => {
  const reload = useReload();
  useEffect(() => {
    // No service worker in development or without TLS.
    if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
    const announce = () =>
      showToast({
        title: t`A new version of Mailsweep is available.`,
        tone: 'done',
        isLasting: true,
        action: { label: t`Reload`, run: () => reload() },
      });
    // Browsers may refuse storage, and blockers may return nothing; the app works without.
    const watching = navigator.serviceWorker.register('/service-worker.js').then(
      (registration?: ServiceWorkerRegistration) => registration && watchForUpdates(registration, announce),
      () => undefined,
    );
    return () => void watching.then((stop) => stop?.());
  }, [reload]);
};

const describeWaiting = (waiting: number): string => {
  if (waiting === 0) return t`What you see may be out of date.`;
  return plural(waiting, {
    one: 'Your action is carried out when you are back online.',
    other: '# actions are carried out when you are back online.',
  });
};

/** A strip below every screen while offline. Leaving asks first while actions wait that are not kept on the device. */
const OfflineBanner = () => {
  const { isOffline, waiting } = useConnection();
  const isAtRisk = waiting.some((key) => !isKept(key));
  useEffect(() => {
    if (!isAtRisk) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isAtRisk]);
  return (
    <div role="status">
      {isOffline && (
        <div className={shapes.banner}>
          <IconWifiOff size={18} aria-hidden="true" />
          <span>
            <strong>
              <Trans>You are offline.</Trans>
            </strong>{' '}
            {describeWaiting(waiting.length)}
          </span>
        </div>
      )}
    </div>
  );
};

/** More have no key. */
const MAX_KEYS = 9;

/** Finds out about further mailboxes, offers to go there, and welcomes a new one. */
const useFurtherMailboxes = (): void => {
  const mailboxes = useOwnMailboxes();
  const { userId = '', email = '' } = useMe().data ?? {};
  const count = mailboxes.length;
  useEffect(() => {
    if (count > 1) storeText(localStorage, toSeveralKey(userId), 'true');
    else if (count === 1) localStorage.removeItem(toSeveralKey(userId));
  }, [count, userId]);
  useEffect(() => {
    if (email !== '' && takeAdded()) showToast({ title: t`${{ address: email }} was added`, tone: 'done' });
  }, [email]);
  useShortcuts(
    count < 2
      ? []
      : mailboxes.map((mailbox, index) => ({
          keys: index < MAX_KEYS ? [`g ${index + 1}`] : [],
          label: toMailboxName(mailbox),
          group: 'Go to',
          run: () => window.location.assign(toAddress('/', mailbox.number)),
        })),
  );
};

/**
 * Work of the frame that the first screen does not wait for.
 *
 * @param props.statusPlace - in the navigation, for the progress of a scan
 * @param props.bannerPlace - below the screen, for being offline
 */
export const AfterFirstScreen = (props: { statusPlace: Element | null; bannerPlace: Element | null }) => {
  const { client } = useApi();
  const queryClient = useQueryClient();
  useKeptFocus();
  useCachedApp();
  useFurtherMailboxes();
  useEffect(() => {
    // Missing in old browsers, whose tabs stay apart.
    return 'BroadcastChannel' in window ? connectTabs(queryClient) : undefined;
  }, [queryClient]);
  // If restoring fails, the settings show notifications as off.
  useEffect(() => void restorePush(client).catch(() => undefined), [client]);
  // Tests and measurements wait for this mark: focus and tabs are kept in step from here on.
  useEffect(() => void performance.mark('mailsweep-complete'), []);
  return (
    <>
      {props.statusPlace && createPortal(<ScanStatus />, props.statusPlace)}
      {props.bannerPlace && createPortal(<OfflineBanner />, props.bannerPlace)}
    </>
  );
};

import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { IconEye, IconRefreshAlert } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Outlet, useNavigate, useRouterState } from '@tanstack/react-router';
import { type ComponentType, type ReactNode, useEffect, useRef, useState } from 'react';
import { useConnection } from '../api/connection.ts';
import { isSignedOut } from '../api/errors.ts';
import { useDialogEntries } from '../controls/back-closes.ts';
import { useOnceTrue } from '../controls/use-once-true.ts';
import { ErrorState } from '../feedback/error-state.tsx';
import { useShortcuts } from '../keyboard/keyboard-context.tsx';
import { lazyPart } from '../lazy-parts/lazy-part.ts';
import { PartBoundary } from '../lazy-parts/part-boundary.tsx';
import { whenIdle } from '../lazy-parts/when-idle.ts';
import { hasKeptWork } from '../session/kept-work.ts';
import { useMe, useProviderName, useSignIn } from '../session/use-mailbox.ts';
import { askForAccess, wantedAccessQuery } from '../session/wanted-access.ts';
import shapes from '../shapes.module.css';
import { useUndo } from '../undo/undo-context.tsx';
import classes from './app-shell.module.css';
import { ALL_SCREENS, Navigation, ShellSkeleton } from './navigation/navigation.tsx';

/** Names the page, and focuses the title of a new screen, which screen readers then read. */
const useScreenChange = (): void => {
  const pathname = useRouterState({
    select: ({ resolvedLocation, location }) => (resolvedLocation ?? location).pathname,
  });
  const shown = useRef<string | null>(null);
  useEffect(() => {
    const screen = ALL_SCREENS.find(({ to }) => to === pathname);
    document.title = screen ? `${i18n._(screen.name)} · Mailsweep` : 'Mailsweep';
    const isFirst = shown.current === null;
    shown.current = pathname;
    if (isFirst) return;
    const title = document.querySelector<HTMLElement>('#main h1');
    title?.setAttribute('tabindex', '-1');
    (title ?? document.getElementById('main'))?.focus({ preventScroll: true });
  }, [pathname]);
};

const CommandPalette = lazyPart(async () => (await import('./palette/command-palette.tsx')).CommandPalette);
const ShortcutHelp = lazyPart(async () => (await import('./palette/shortcut-help.tsx')).ShortcutHelp);
const MorePlaces = lazyPart(async () => (await import('./navigation/more-places.tsx')).MorePlaces);
const MailboxSwitcher = lazyPart(async () => (await import('./mailbox-switcher.tsx')).MailboxSwitcher);
const AllowChangesDialog = lazyPart(
  async () => (await import('./allow-changes-dialog.tsx')).AllowChangesDialog,
);
const AfterFirstScreen = lazyPart(async () => (await import('./after-first-screen.tsx')).AfterFirstScreen);

type Overlay = 'palette' | 'help' | 'more' | 'mailboxes' | 'undo' | null;

interface ShellParts {
  /** Shows work that an earlier page left. */
  repeatOffer: ReactNode;
  /** Offers to undo what was done elsewhere or before. */
  UndoOffer: ComponentType<{ onClose: () => void }>;
}

/** The frame around every screen; empty until the user is known. */
export const AppShell = (parts: ShellParts) => {
  const { data: me, error: found, failureReason, refetch } = useMe();
  const { isOffline } = useConnection();
  // Without a network, further attempts would only wait.
  const error = isOffline ? failureReason : found;
  if (me) return <Frame {...parts} />;
  // A lost session is on its way to the sign-in.
  return error && !isSignedOut(error) ? (
    <main>
      <ErrorState error={error} onRetry={() => void refetch()} isScreen />
    </main>
  ) : (
    <ShellSkeleton />
  );
};

/** Whether the browser was idle after the first screen. */
const useIdle = (): boolean => {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => void whenIdle().then(() => setIdle(true)), []);
  return isIdle;
};

/** A strip below every screen until the mailbox is connected again. */
const ReconnectBanner = () => {
  const signIn = useSignIn();
  const name = useProviderName();
  if (useMe().data?.connection !== 'reauth_required') return null;
  return (
    <div className={shapes.banner} role="status">
      <IconRefreshAlert size={18} aria-hidden="true" />
      <span className={classes.renewal}>
        <Trans>{name} wants you to renew the connection to your mailbox.</Trans>
      </span>
      <Button size="compact-sm" onClick={signIn}>
        <Trans>Renew</Trans>
      </Button>
    </div>
  );
};

/** A quiet strip below every screen while the user lets Mailsweep only look. */
const LookBanner = () => {
  const queryClient = useQueryClient();
  const { connection, mailbox } = useMe().data ?? {};
  if (connection !== 'active' || mailbox?.canChange !== false) return null;
  return (
    <div className={shapes.banner} data-quiet role="status">
      <IconEye size={18} aria-hidden="true" />
      <span className={classes.renewal}>
        <Trans>Mailsweep only looks, and rules do not act.</Trans>
      </span>
      <Button size="compact-sm" variant="default" onClick={() => askForAccess(queryClient)}>
        <Trans>Allow changes</Trans>
      </Button>
    </div>
  );
};

const Frame = ({ repeatOffer, UndoOffer }: ShellParts) => {
  const [overlay, setOverlay] = useState<Overlay>(null);
  const navigate = useNavigate();
  const undo = useUndo();
  const close = () => setOverlay(null);
  const undoLast = () => {
    if (!undo.runLast()) setOverlay('undo');
  };
  const openHelp = () => setOverlay('help');
  const openPalette = () => setOverlay('palette');
  const openMailboxes = () => setOverlay('mailboxes');
  const hasPalette = useOnceTrue(overlay === 'palette');
  const { data: wantedAccess } = useQuery(wantedAccessQuery);
  const [hasWork, setHasWork] = useState(hasKeptWork);
  useWindowEvent('online', () => setHasWork((had) => had || hasKeptWork()));
  useScreenChange();
  useDialogEntries();
  const isIdle = useIdle();
  const [statusPlace, setStatusPlace] = useState<Element | null>(null);
  const [bannerPlace, setBannerPlace] = useState<Element | null>(null);

  useShortcuts([
    ...ALL_SCREENS.map(({ to, name, key }) => ({
      keys: [`g ${key}`],
      label: i18n._(name),
      group: 'Go to' as const,
      run: () => void navigate({ to }),
    })),
    { keys: ['z', 'mod+z'], label: t`Undo the last action`, group: 'Everywhere', run: undoLast },
    { keys: ['mod+k'], label: t`Command palette`, group: 'Everywhere', run: openPalette },
    { keys: ['?'], label: t`Keyboard help`, group: 'Everywhere', run: openHelp },
  ]);

  return (
    <div className={classes.frame}>
      <a href="#main" className={classes.skip}>
        <Trans>Skip to the content</Trans>
      </a>
      <Navigation
        onCommand={openPalette}
        onMore={() => setOverlay('more')}
        onMailboxes={openMailboxes}
        statusPlace={setStatusPlace}
      />
      <main id="main" tabIndex={-1} className={classes.main}>
        <div className={classes.screen}>
          <Outlet />
        </div>
        {/* Below the screen, so that nothing moves. */}
        <div ref={setBannerPlace} />
        <ReconnectBanner />
        <LookBanner />
      </main>
      {isIdle && (
        <PartBoundary>
          <AfterFirstScreen statusPlace={statusPlace} bannerPlace={bannerPlace} />
        </PartBoundary>
      )}
      {hasWork && <PartBoundary>{repeatOffer}</PartBoundary>}
      <PartBoundary>
        {hasPalette && <CommandPalette isOpen={overlay === 'palette'} onClose={close} onHelp={openHelp} />}
        {overlay === 'more' && (
          <MorePlaces onClose={close} onCommand={openPalette} onMailboxes={openMailboxes} />
        )}
        {overlay === 'mailboxes' && <MailboxSwitcher onClose={close} />}
        {overlay === 'undo' && <UndoOffer onClose={close} />}
        {wantedAccess && <AllowChangesDialog {...wantedAccess} />}
        {overlay === 'help' && <ShortcutHelp onClose={close} />}
      </PartBoundary>
    </div>
  );
};

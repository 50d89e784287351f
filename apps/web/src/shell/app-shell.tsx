import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { IconRefreshAlert } from '@tabler/icons-react';
import { Outlet, useNavigate, useRouterState } from '@tanstack/react-router';
import { type ComponentType, type ReactNode, useEffect, useRef, useState } from 'react';
import { isSignedOut } from '../api/error-kinds.ts';
import { useDialogEntries } from '../controls/back-closes.ts';
import { useOnceTrue } from '../controls/use-once-true.ts';
import { ErrorState } from '../feedback/error-state.tsx';
import { useShortcuts } from '../keyboard/keyboard-context.tsx';
import { lazyPart } from '../parts/lazy-part.ts';
import { PartBoundary } from '../parts/part-boundary.tsx';
import { whenIdle } from '../parts/when-idle.ts';
import { hasKeptWork } from '../session/kept-work.ts';
import { useMe } from '../session/me-query.ts';
import { useProviderName } from '../session/use-provider-name.ts';
import { useSignIn } from '../session/use-sign-in.ts';
import shapes from '../shapes.module.css';
import { useUndo } from '../undo/undo-context.tsx';
import classes from './app-shell.module.css';
import { Navigation } from './navigation/navigation.tsx';
import { ALL_SCREENS } from './navigation/screens.ts';
import { ShellSkeleton } from './navigation/shell-skeleton.tsx';

/** Names the page after its screen, and leads the focus to the title of a new screen, which is then read aloud. */
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
const AfterFirstScreen = lazyPart(async () => (await import('./after-first-screen.tsx')).AfterFirstScreen);

type Overlay = 'palette' | 'help' | 'more' | 'undo' | null;

interface ShellParts {
  /** Shown where an earlier page left something undone. */
  repeatOffer: ReactNode;
  /** Offers to undo what was done before the app was opened, or elsewhere. */
  UndoOffer: ComponentType<{ isOpen: boolean; onClose: () => void }>;
}

/** The frame around every screen behind the sign-in; empty until it is known who is there. */
export const AppShell = (parts: ShellParts) => {
  const { data: me, error, refetch } = useMe();
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

/** Whether the browser has had time for something else than the first screen. */
const useIdle = (): boolean => {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => void whenIdle().then(() => setIdle(true)), []);
  return isIdle;
};

/** A strip below every screen for as long as the mailbox connection has to be renewed. */
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
  const hasPalette = useOnceTrue(overlay === 'palette');
  const hasHelp = useOnceTrue(overlay === 'help');
  const hasUndoOffer = useOnceTrue(overlay === 'undo');
  const hasMore = useOnceTrue(overlay === 'more');
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
      <Navigation onCommand={openPalette} onMore={() => setOverlay('more')} statusPlace={setStatusPlace} />
      <main id="main" tabIndex={-1} className={classes.main}>
        <div className={classes.screen}>
          <Outlet />
        </div>
        {/* Below the screen: of what stands there, nothing moves. */}
        <div ref={setBannerPlace} />
        <ReconnectBanner />
      </main>
      {isIdle && (
        <PartBoundary>
          <AfterFirstScreen statusPlace={statusPlace} bannerPlace={bannerPlace} />
        </PartBoundary>
      )}
      {hasWork && <PartBoundary>{repeatOffer}</PartBoundary>}
      <PartBoundary>
        {hasPalette && <CommandPalette isOpen={overlay === 'palette'} onClose={close} onHelp={openHelp} />}
        {hasMore && <MorePlaces isOpen={overlay === 'more'} onClose={close} onCommand={openPalette} />}
        {hasUndoOffer && <UndoOffer isOpen={overlay === 'undo'} onClose={close} />}
        {hasHelp && <ShortcutHelp isOpen={overlay === 'help'} onClose={close} />}
      </PartBoundary>
    </div>
  );
};

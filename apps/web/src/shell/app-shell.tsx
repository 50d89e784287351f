import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Outlet, useNavigate } from '@tanstack/react-router';
import { type ReactNode, startTransition, useCallback, useEffect, useState } from 'react';
import { isSignedOut } from '../api/api-errors.ts';
import { useOnceTrue } from '../controls/use-once-true.ts';
import { ErrorState } from '../feedback/error-state.tsx';
import { useShortcuts } from '../keyboard/keyboard-context.tsx';
import { lazyPart } from '../parts/lazy-part.ts';
import { PartBoundary } from '../parts/part-boundary.tsx';
import { whenIdle } from '../parts/when-idle.ts';
import { hasRememberedWork } from '../session/interrupted-work.ts';
import { useMe } from '../session/me-query.ts';
import { ReconnectBanner } from '../session/reconnect-banner.tsx';
import { useUndo } from '../undo/undo-context.tsx';
import classes from './app-shell.module.css';
import { Navigation } from './navigation/navigation.tsx';
import { SCREENS } from './navigation/screens.ts';
import { ShellSkeleton } from './navigation/shell-skeleton.tsx';
import { useScreenChange } from './navigation/use-screen-change.ts';

const CommandPalette = lazyPart(async () => (await import('./palette/command-palette.tsx')).CommandPalette);
const ShortcutHelp = lazyPart(async () => (await import('./palette/shortcut-help.tsx')).ShortcutHelp);

const AfterFirstScreen = lazyPart(async () => (await import('./after-first-screen.tsx')).AfterFirstScreen);

type Overlay = 'palette' | 'help' | null;

/**
 * The frame around every screen behind the sign-in; empty until it is known who is there.
 *
 * @param props.repeatOffer - shown where an action was interrupted by the end of the session
 */
export const AppShell = ({ repeatOffer }: { repeatOffer: ReactNode }) => {
  const { data: me, error, refetch } = useMe();
  if (me) return <Frame repeatOffer={repeatOffer} />;
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

/** An element of the frame, once it is on the page, and its ref. It is told in a transition: drawing again can wait. */
const usePlace = () => {
  const [place, setPlace] = useState<Element | null>(null);
  const ref = useCallback((element: Element | null) => startTransition(() => setPlace(element)), []);
  return [place, ref] as const;
};

const Frame = ({ repeatOffer }: { repeatOffer: ReactNode }) => {
  const [overlay, setOverlay] = useState<Overlay>(null);
  const navigate = useNavigate();
  const undo = useUndo();
  const close = () => setOverlay(null);
  const openHelp = () => setOverlay('help');
  const hasPalette = useOnceTrue(overlay === 'palette');
  const hasHelp = useOnceTrue(overlay === 'help');
  const [isInterrupted] = useState(hasRememberedWork);
  useScreenChange();
  const isIdle = useIdle();
  const [statusPlace, statusRef] = usePlace();
  const [bannerPlace, bannerRef] = usePlace();

  useShortcuts([
    ...SCREENS.map(({ to, name, key }) => ({
      keys: [`g ${key}`],
      label: i18n._(name),
      group: 'Go to' as const,
      run: () => void navigate({ to }),
    })),
    { keys: ['z', 'mod+z'], label: t`Undo the last action`, group: 'Everywhere', run: undo.runLast },
    { keys: ['mod+k'], label: t`Command palette`, group: 'Everywhere', run: () => setOverlay('palette') },
    { keys: ['?'], label: t`Keyboard help`, group: 'Everywhere', run: openHelp },
  ]);

  return (
    <div className={classes.frame}>
      <a href="#main" className={classes.skip}>
        <Trans>Skip to the content</Trans>
      </a>
      <Navigation onCommand={() => setOverlay('palette')} statusPlace={statusRef} />
      <main id="main" tabIndex={-1} className={classes.main}>
        <div ref={bannerRef} />
        <ReconnectBanner />
        <div className={classes.screen}>
          <Outlet />
        </div>
      </main>
      {isIdle && (
        <PartBoundary>
          <AfterFirstScreen statusPlace={statusPlace} bannerPlace={bannerPlace} />
        </PartBoundary>
      )}
      {isInterrupted && <PartBoundary>{repeatOffer}</PartBoundary>}
      <PartBoundary>
        {hasPalette && <CommandPalette isOpen={overlay === 'palette'} onClose={close} onHelp={openHelp} />}
        {hasHelp && <ShortcutHelp isOpen={overlay === 'help'} onClose={close} />}
      </PartBoundary>
    </div>
  );
};

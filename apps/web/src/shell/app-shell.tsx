import { Outlet, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useShortcuts } from '../keyboard/keyboard-context.tsx';
import { ReconnectBanner } from '../session/reconnect-banner.tsx';
import { useUndo } from '../undo/undo-context.tsx';
import classes from './app-shell.module.css';
import { Navigation } from './navigation.tsx';
import { PLACES } from './places.ts';

const CommandPalette = lazy(async () => ({ default: (await import('./command-palette.tsx')).CommandPalette }));
const ShortcutHelp = lazy(async () => ({ default: (await import('./shortcut-help.tsx')).ShortcutHelp }));

type Overlay = 'palette' | 'help' | null;

/** The frame around every screen behind the sign-in. */
export const AppShell = () => {
  const [overlay, setOverlay] = useState<Overlay>(null);
  const navigate = useNavigate();
  const undo = useUndo();
  const close = () => setOverlay(null);

  useShortcuts([
    ...PLACES.map(({ to, name, key }) => ({
      keys: [`g ${key}`],
      label: name,
      group: 'Go to' as const,
      run: () => void navigate({ to }),
    })),
    { keys: ['z', 'mod+z'], label: 'Undo the last action', group: 'Everywhere', run: undo.runLast },
    { keys: ['mod+k'], label: 'Command palette', group: 'Everywhere', run: () => setOverlay('palette') },
    { keys: ['?'], label: 'Keyboard help', group: 'Everywhere', run: () => setOverlay('help') },
  ]);

  return (
    <div className={classes.frame}>
      <a href="#main" className={classes.skip}>
        Skip to the content
      </a>
      <Navigation onCommand={() => setOverlay('palette')} />
      <main id="main" tabIndex={-1} className={classes.main}>
        <ReconnectBanner />
        <div className={classes.screen}>
          <Outlet />
        </div>
      </main>
      <Suspense>
        {overlay === 'palette' && <CommandPalette onClose={close} onHelp={() => setOverlay('help')} />}
        {overlay === 'help' && <ShortcutHelp onClose={close} />}
      </Suspense>
    </div>
  );
};

import { i18n } from '@lingui/core';
import { useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { ALL_SCREENS } from './screens.ts';

/** Names the page after its screen, and leads the focus to the title of a new screen, which is then read aloud. */
export const useScreenChange = (): void => {
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

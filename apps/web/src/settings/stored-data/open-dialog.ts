import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { lazyPart } from '../../lazy-parts/lazy-part.ts';
import type { SensitiveAction } from './settings-search.ts';

export const RecentSignInDialog = lazyPart(
  async () => (await import('./stored-data-dialogs.tsx')).RecentSignInDialog,
);

const route = getRouteApi('/app/settings');

/**
 * The open dialog of a settings section.
 *
 * @param toFirst - the dialog to open first, for the action that a new sign-in continues
 */
export const useOpenDialog = <Dialog>(toFirst: (continued: SensitiveAction | undefined) => Dialog | null) => {
  const { continue: continued } = route.useSearch();
  const navigate = route.useNavigate();
  const [dialog, open] = useState(() => toFirst(continued));
  const close = () => {
    open(null);
    // A reload must not lead here again.
    if (continued) void navigate({ search: {}, replace: true });
  };
  return { continued, dialog, open, close };
};

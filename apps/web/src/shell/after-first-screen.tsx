import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { createPortal } from 'react-dom';
import { useApi } from '../api/api-context.tsx';
import { restorePush } from '../push/device-push.ts';
import { connectTabs } from '../queries/other-tabs.ts';
import { ScanStatus } from '../scan/scan-status.tsx';
import { OfflineBanner } from './offline-banner.tsx';
import { useCachedApp } from './use-cached-app.ts';
import { useKeptFocus } from './use-kept-focus.ts';

/**
 * What the frame has to do, and none of which the first screen waits for.
 *
 * @param props.statusPlace - where in the navigation the progress of a scan goes
 * @param props.bannerPlace - where below the screen the user is told that there is no network
 */
export const AfterFirstScreen = (props: { statusPlace: Element | null; bannerPlace: Element | null }) => {
  const { client } = useApi();
  const queryClient = useQueryClient();
  useKeptFocus();
  useCachedApp();
  useEffect(() => {
    // Missing in old browsers, whose tabs stay apart.
    return 'BroadcastChannel' in window ? connectTabs(queryClient) : undefined;
  }, [queryClient]);
  // Where notifications cannot be restored on this device, the settings show them as off.
  useEffect(() => void restorePush(client).catch(() => undefined), [client]);
  // Tests and measurements wait for this: from now on the focus is kept, and tabs stay in step.
  useEffect(() => void performance.mark('mailsweep-complete'), []);
  return (
    <>
      {props.statusPlace && createPortal(<ScanStatus />, props.statusPlace)}
      {props.bannerPlace && createPortal(<OfflineBanner />, props.bannerPlace)}
    </>
  );
};

import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { IconWifiOff } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { createPortal } from 'react-dom';
import { useApi } from '../api/api-context.tsx';
import { useConnection } from '../api/connection.ts';
import { restorePush } from '../push/device-push.ts';
import { connectTabs } from '../queries/other-tabs.ts';
import { ScanStatus } from '../scan/scan-status.tsx';
import { isKept } from '../session/kept-work.ts';
import shapes from '../shapes.module.css';
import { useCachedApp } from './use-cached-app.ts';
import { useKeptFocus } from './use-kept-focus.ts';

const describeWaiting = (waiting: number): string => {
  if (waiting === 0) return t`What you see may be out of date.`;
  return plural(waiting, {
    one: 'Your action is carried out when you are back online.',
    other: '# actions are carried out when you are back online.',
  });
};

/** A strip below every screen for as long as there is no network. Leaving the page asks first while actions wait that are not kept on the device. */
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

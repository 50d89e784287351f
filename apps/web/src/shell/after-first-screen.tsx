import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { createPortal } from 'react-dom';
import { connectTabs } from '../queries/other-tabs.ts';
import { ScanStatus } from '../scan/scan-status.tsx';
import { useKeptFocus } from './use-kept-focus.ts';

/**
 * What the frame has to do, and none of which the first screen waits for.
 *
 * @param props.statusPlace - where in the navigation the progress of a scan goes
 */
export const AfterFirstScreen = ({ statusPlace }: { statusPlace: Element | null }) => {
  const queryClient = useQueryClient();
  useKeptFocus();
  useEffect(() => {
    // Missing in old browsers, whose tabs stay apart.
    return 'BroadcastChannel' in window ? connectTabs(queryClient) : undefined;
  }, [queryClient]);
  // For whoever measures or waits: from now on the focus is kept, and tabs stay in step.
  useEffect(() => void performance.mark('mailsweep-complete'), []);
  return statusPlace && createPortal(<ScanStatus />, statusPlace);
};

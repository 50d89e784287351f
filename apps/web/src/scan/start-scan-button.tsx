import { t } from '@lingui/core/macro';
import { SCAN_AFTER_CANCEL_SECONDS, type Scan } from '@mailsweep/contracts';
import { Button, type ButtonProps } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { ScanControl } from './use-scan.ts';

const SECOND_MS = 1_000;

/** Seconds until the API takes another scan. The clocks of browser and server differ, so it is never more than it can be. */
const useSecondsToWait = (scan: Scan | null | undefined): number => {
  const [nowMs, setNowMs] = useState(Date.now);
  const endedMs = scan?.state === 'cancelled' ? Date.parse(scan.finishedAt ?? '') : Number.NaN;
  const seconds = SCAN_AFTER_CANCEL_SECONDS - Math.floor((nowMs - endedMs) / SECOND_MS);
  const isWaiting = seconds > 0;
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setInterval(() => setNowMs(Date.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, [isWaiting]);
  return isWaiting ? Math.min(seconds, SCAN_AFTER_CANCEL_SECONDS) : 0;
};

/** Starts a scan; just after one was stopped, it counts down until the next may start. */
export const StartScanButton = ({ scan, children, ...rest }: ButtonProps & { scan: ScanControl }) => {
  const seconds = useSecondsToWait(scan.scan);
  return (
    <Button {...rest} loading={scan.isStarting} disabled={seconds > 0} onClick={scan.start}>
      {seconds > 0 ? t`Scan again in ${seconds} s` : children}
    </Button>
  );
};

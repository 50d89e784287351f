import { t } from '@lingui/core/macro';
import type { Scan } from '@mailsweep/contracts';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useApi } from '../api/api-context.tsx';
import { formatShare } from '../email/counts.ts';
import { showToast } from '../feedback/toasts.tsx';
import shapes from '../shapes.module.css';
import { followedScanQuery, isInProgress } from './scan-query.ts';
import classes from './scan-status.module.css';
import { describeEnd, describeStop } from './scan-words.ts';

/** Screens that show the end of a scan themselves. */
const SCREENS_WITH_SCAN = ['/', '/senders', '/suggestions'];

const useEndNotice = (scan: Scan | null | undefined): void => {
  const navigate = useNavigate();
  const runningId = useRef<string | null>(null);
  useEffect(() => {
    if (!scan) return;
    if (isInProgress(scan)) {
      runningId.current = scan.id;
      return;
    }
    const hasJustEnded = runningId.current === scan.id;
    runningId.current = null;
    if (!hasJustEnded || scan.state === 'cancelled') return;
    if (SCREENS_WITH_SCAN.includes(window.location.pathname)) return;
    const isDone = scan.state === 'completed';
    showToast({
      ...(isDone ? describeEnd(scan) : describeStop(scan)),
      tone: isDone ? 'done' : 'failed',
      action: {
        label: isDone ? t`See what it found` : t`See why`,
        run: () => void navigate({ to: '/senders', search: isDone ? { sort: 'suggested' as const } : {} }),
      },
    });
  }, [scan, navigate]);
};

/** How far a scan is, on every screen, and that it has ended. */
export const ScanStatus = () => {
  const { data: scan } = useQuery(followedScanQuery(useApi().client));
  useEndNotice(scan);
  if (!scan || !isInProgress(scan)) return null;
  const share = scan.total > scan.scanned ? scan.scanned / scan.total : null;
  return (
    <Link to="/senders" className={classes.status} title={t`See how the scan of your mailbox goes`}>
      <span className={classes.words}>
        <span className={classes.name}>
          {scan.state === 'waiting' ? t`Scan is waiting` : t`Scanning mailbox`}
        </span>{' '}
        {share !== null && <span className={classes.share}>{formatShare(share)}</span>}
      </span>
      <span className={`${shapes.track} ${classes.track}`} aria-hidden="true">
        <span className={`${shapes.bar} ${classes.bar}`} style={{ inlineSize: `${(share ?? 0) * 100}%` }} />
      </span>
    </Link>
  );
};

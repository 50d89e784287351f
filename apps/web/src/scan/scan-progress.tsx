import type { Scan } from '@mailsweep/contracts';
import { formatShare } from '../mail/counts.ts';
import classes from './scan-progress.module.css';

/** How much of the mailbox a scan has behind it; moves to and fro while that is not known. */
export const ScanProgress = ({ scan }: { scan: Scan }) => {
  const isKnown = scan.total > 0 && scan.scanned > 0;
  const share = isKnown ? Math.min(1, scan.scanned / scan.total) : 0;
  return (
    <div
      role="progressbar"
      aria-label="Scan of the mailbox"
      aria-valuemin={0}
      aria-valuemax={100}
      {...(isKnown && { 'aria-valuenow': Math.round(share * 100), 'aria-valuetext': formatShare(share) })}
      className={classes.track}
      data-waiting={scan.state === 'waiting' || undefined}
      data-unknown={!isKnown || undefined}
    >
      <div className={classes.bar} style={isKnown ? { inlineSize: `${share * 100}%` } : undefined} />
    </div>
  );
};

import { t } from '@lingui/core/macro';
import type { Scan } from '@mailsweep/contracts';
import { formatShare } from '../email/counts.ts';
import shapes from '../shapes.module.css';
import classes from './scan-progress.module.css';

/** How much of the mailbox a scan has behind it; moves to and fro while that is not known. */
export const ScanProgress = ({ scan }: { scan: Scan }) => {
  // A scan that has gone past its total, or has none, does not know how much is left.
  const isKnown = scan.scanned > 0 && scan.total >= scan.scanned;
  const share = isKnown ? scan.scanned / scan.total : 0;
  return (
    <div
      role="progressbar"
      aria-label={t`Scan of the mailbox`}
      aria-valuemin={0}
      aria-valuemax={100}
      {...(isKnown && { 'aria-valuenow': Math.round(share * 100), 'aria-valuetext': formatShare(share) })}
      className={`${shapes.track} ${classes.track}`}
      data-waiting={scan.state === 'waiting' || undefined}
      data-unknown={!isKnown || undefined}
    >
      <div
        className={`${shapes.bar} ${classes.bar}`}
        style={isKnown ? { inlineSize: `${share * 100}%` } : undefined}
      />
    </div>
  );
};

import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useApi } from '../api/api-context.tsx';
import { countEmails, formatShare } from '../email/counts.ts';
import { coverageQuery } from '../queries/senders-query.ts';
import { Timestamp } from '../time/timestamp.tsx';
import classes from './scan-line.module.css';
import { toScanStage } from './scan-stage.ts';
import { describeDuration, estimateSecondsLeft } from './scan-words.ts';
import { useScan } from './use-scan.ts';

/** A quiet line that says how much of the mailbox a list covers, and leads to the rest of it. */
export const ScanLine = ({ lookedAtCount }: { lookedAtCount: number }) => {
  const { client } = useApi();
  const scan = useScan();
  const { data: coverage } = useQuery(coverageQuery(client));
  if (scan.scan === undefined || !coverage) return <p className={classes.line} />;
  const stage = toScanStage(scan.scan, coverage);
  if (stage === 'in-progress' && scan.scan) {
    const { scanned, total } = scan.scan;
    const seconds = estimateSecondsLeft(scan.scan);
    return (
      <p className={classes.line}>
        <span>
          Your whole mailbox is being scanned{total > scanned && `: ${formatShare(scanned / total)}`}
          {seconds !== null && <span className={classes.left}>, {describeDuration(seconds)} left</span>}.
        </span>
        <Link to="/senders" className={classes.link}>
          See how it goes
        </Link>
      </p>
    );
  }
  if (stage === 'done' && coverage.scannedAt !== null) {
    return (
      <p className={classes.line}>
        <span>
          Your whole mailbox was scanned <Timestamp value={coverage.scannedAt} style="ago" />.
        </span>
        <Link to="/senders" search={{ sort: 'suggested' }} className={classes.link}>
          See all of it, by sender
        </Link>
      </p>
    );
  }
  if (stage !== 'never') {
    return (
      <p className={classes.line}>
        <span>The scan of your whole mailbox needs you.</span>
        <Link to="/senders" className={classes.link}>
          See why
        </Link>
      </p>
    );
  }
  return (
    <p className={classes.line}>
      <span>
        {lookedAtCount === 0
          ? 'Only a scan looks at archived email.'
          : `Only your newest ${countEmails(lookedAtCount)} are looked at here.`}
      </span>
      <Button size="compact-sm" variant="light" loading={scan.isStarting} onClick={scan.start}>
        Scan my whole mailbox
      </Button>
    </p>
  );
};

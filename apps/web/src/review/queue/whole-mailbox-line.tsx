import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { countEmails, formatShare } from '../../email/counts.ts';
import { type ScanCoverage, toScanStage } from '../../scan/scan-stage.ts';
import { describeDuration, describeFailure, describeWait } from '../../scan/scan-words.ts';
import { useScan } from '../../scan/use-scan.ts';
import { useProviderName } from '../../session/use-provider-name.ts';
import { useSignIn } from '../../session/use-sign-in.ts';
import { Timestamp } from '../../time/timestamp.tsx';
import classes from './whole-mailbox-line.module.css';

const RenewButton = () => {
  const name = useProviderName();
  return (
    <Button size="compact-sm" variant="light" onClick={useSignIn()}>
      <Trans>Renew with {name}</Trans>
    </Button>
  );
};

/** A quiet line that says how much of the mailbox the suggestions cover, and offers the rest of it. */
export const WholeMailboxLine = ({ coverage }: { coverage: ScanCoverage | undefined }) => {
  const control = useScan();
  const { scan } = control;
  if (scan === undefined || !coverage) return <p className={classes.line} />;
  const stage = toScanStage(scan, coverage);
  const start = (words: ReactNode) => (
    <Button size="compact-sm" variant="light" loading={control.isStarting} onClick={control.start}>
      {words}
    </Button>
  );
  if (stage === 'in-progress' && scan) {
    const { scanned, total, etaSeconds: seconds } = scan;
    const wait = describeWait(scan);
    return (
      <div className={classes.line} data-in-progress>
        <span>
          {[t`Scanning your mailbox`, total > scanned && formatShare(scanned / total)]
            .filter(Boolean)
            .join(': ')}
          {wait === null && seconds !== null && `, ${t`${{ duration: describeDuration(seconds) }} left`}`}.{' '}
          <span className={classes.aside}>{wait ?? t`New suggestions appear here automatically.`}</span>
        </span>
        <progress
          className={classes.progress}
          aria-label={t`Scanning your mailbox`}
          {...(total >= scanned && scanned > 0 && { max: total, value: scanned })}
        />
        <Button size="compact-sm" variant="subtle" loading={control.isCancelling} onClick={control.cancel}>
          <Trans>Stop</Trans>
        </Button>
      </div>
    );
  }
  if (stage === 'done' && coverage.scannedAt !== null) {
    return (
      <p className={classes.line}>
        <span>
          <Trans>
            From your whole mailbox, scanned <Timestamp value={coverage.scannedAt} style="ago" />.
          </Trans>
        </span>
      </p>
    );
  }
  if (stage === 'stopped' && scan?.state === 'failed') {
    const isLapsed = scan.error === 'reauth_required' || scan.error === 'missing_scope';
    return (
      <p className={classes.line}>
        <span>
          <Trans>Your mailbox could not be scanned. {describeFailure(scan)}</Trans>
        </span>
        {isLapsed ? <RenewButton /> : start(t`Try again`)}
      </p>
    );
  }
  if (stage === 'unclassified' && scan) {
    return (
      <p className={classes.line}>
        <span>
          <Trans>{countEmails(scan.unclassified)} could not be judged yet.</Trans>
        </span>
        {start(t`Scan again`)}
      </p>
    );
  }
  return (
    <p className={classes.line}>
      <span>
        {stage === 'outdated' && t`Much has changed since your mailbox was scanned.`}
        {stage === 'stopped' && t`Part of your mailbox has not been scanned.`}
        {stage === 'never' && t`These are from your newest emails.`}
      </span>
      {start(t`Scan my mailbox`)}
    </p>
  );
};

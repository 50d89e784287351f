import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { Scan } from '@mailsweep/contracts';
import { Button } from '@mantine/core';
import { IconCheck, IconPlayerStop, IconRadar2, IconRefresh, IconRefreshAlert } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useOnceTrue } from '../controls/use-once-true.ts';
import { countEmails, formatShare } from '../email/counts.ts';
import { RenewButton } from '../session/renew-button.tsx';
import shapes from '../shapes.module.css';
import classes from './scan-card.module.css';
import progress from './scan-progress.module.css';
import type { ScanStage } from './scan-stage.ts';
import { describeEnd, describeProgress, describeStop, type ScanWords } from './scan-words.ts';
import { StartScanButton } from './start-scan-button.tsx';
import type { ScanControl } from './use-scan.ts';

interface Content extends ScanWords {
  icon: ReactNode;
  tone?: 'warning';
  body?: ReactNode;
  action: ReactNode;
}

const StartButton = ({ scan, children }: { scan: ScanControl; children: ReactNode }) => (
  <StartScanButton
    scan={scan}
    className={classes.action}
    leftSection={<IconRadar2 size={17} aria-hidden="true" />}
  >
    {children}
  </StartScanButton>
);

/** How far a scan is; indeterminate if unknown. */
const ScanProgress = ({ scan }: { scan: Scan }) => {
  // A scan beyond its total, or without one, does not know how much is left.
  const isKnown = scan.scanned > 0 && scan.total >= scan.scanned;
  const share = isKnown ? scan.scanned / scan.total : 0;
  return (
    <div
      role="progressbar"
      aria-label={t`Scan of the mailbox`}
      aria-valuemin={0}
      aria-valuemax={100}
      {...(isKnown && { 'aria-valuenow': Math.round(share * 100), 'aria-valuetext': formatShare(share) })}
      className={`${shapes.track} ${progress.track}`}
      data-waiting={scan.state === 'waiting' || undefined}
      data-unknown={!isKnown || undefined}
    >
      <div
        className={`${shapes.bar} ${progress.bar}`}
        style={isKnown ? { inlineSize: `${share * 100}%` } : undefined}
      />
    </div>
  );
};

const toEndContent = (scan: Scan, onClose: () => void): Content => ({
  ...describeEnd(scan),
  icon: <IconCheck />,
  body: <ScanProgress scan={scan} />,
  action: (
    <Button variant="default" className={classes.action} onClick={onClose}>
      <Trans>Close</Trans>
    </Button>
  ),
});

const toContent = (stage: ScanStage, scan: ScanControl, isAlone: boolean): Content | null => {
  const newest = scan.scan ?? null;
  const again = (
    <StartButton scan={scan}>
      <Trans>Scan again</Trans>
    </StartButton>
  );
  if (stage === 'in-progress' && newest) {
    return {
      ...describeProgress(newest),
      icon: <IconRadar2 />,
      body: <ScanProgress scan={newest} />,
      action: (
        <Button
          variant="default"
          className={classes.action}
          loading={scan.isCancelling}
          leftSection={<IconPlayerStop size={16} aria-hidden="true" />}
          onClick={scan.cancel}
        >
          <Trans>Stop</Trans>
        </Button>
      ),
    };
  }
  if (stage === 'stopped' && newest) {
    const isLapsed = newest.error === 'reauth_required' || newest.error === 'missing_scope';
    return {
      ...describeStop(newest),
      icon: <IconRefreshAlert />,
      ...(newest.state === 'failed' && { tone: 'warning' }),
      action: isLapsed ? <RenewButton className={classes.action} /> : again,
    };
  }
  if (stage === 'outdated') {
    return {
      title: t`Another scan is needed`,
      detail: t`Your mail provider no longer reports what has changed since the last scan, so the numbers may be off.`,
      icon: <IconRefresh />,
      tone: 'warning',
      action: again,
    };
  }
  if (stage === 'unclassified' && newest) {
    return {
      title: t`${countEmails(newest.unclassified)} got no suggestions`,
      detail: t`The classification service was away for them. Another scan is quick: everything it needs is kept.`,
      icon: <IconRefresh />,
      tone: 'warning',
      action: again,
    };
  }
  if (stage === 'never') {
    return {
      title: isAlone
        ? t`See who fills your mailbox`
        : t`So far only email that you have seen here is counted`,
      detail: t`A scan goes through all your email and adds up who sends how much, with suggestions for old email too. It only reads: nothing is changed. You can leave meanwhile.`,
      icon: <IconRadar2 />,
      action: (
        <StartButton scan={scan}>
          <Trans>Scan my mailbox</Trans>
        </StartButton>
      ),
    };
  }
  return null;
};

/**
 * What to say and do about scans; nothing if all is well. A user who watched a scan sees its end in the same place
 * until they close it.
 *
 * @param props.isAlone - whether it fills the screen
 */
export const ScanCard = (props: { stage: ScanStage; scan: ScanControl; isAlone: boolean }) => {
  const { scan } = props.scan;
  const hasWatched = useOnceTrue(props.stage === 'in-progress');
  const [closedId, setClosedId] = useState<string | null>(null);
  const hasEnd =
    hasWatched &&
    !props.isAlone &&
    scan?.state === 'completed' &&
    props.stage !== 'unclassified' &&
    scan.id !== closedId;
  const content = hasEnd
    ? toEndContent(scan, () => setClosedId(scan.id))
    : toContent(props.stage, props.scan, props.isAlone);
  if (!content) return null;
  const { title, detail, icon, tone, body, action } = content;
  return (
    <section
      className={classes.card}
      data-alone={props.isAlone || undefined}
      data-tone={tone}
      aria-label={t`Scan of the whole mailbox`}
    >
      <span className={classes.icon} aria-hidden="true">
        {icon}
      </span>
      <div className={classes.words}>
        <h2 className={classes.title}>{title}</h2>
        <p className={classes.detail}>{detail}</p>
        {body}
      </div>
      {action}
      {/* The numbers change every second; screen readers only hear the outcome. */}
      <span className="sr-only" role="status">
        {title}
      </span>
    </section>
  );
};

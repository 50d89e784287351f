import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { useApi } from '../api/api-context.tsx';
import { CleanupRequests } from '../cleanup/cleanup-requests.tsx';
import { useOnceTrue } from '../controls/use-once-true.ts';
import { Skeleton } from '../feedback/skeleton.tsx';
import { newestEmailsQuery } from '../queries/suggestions-query.ts';
import { ScanCard } from '../scan/scan-card.tsx';
import { isFirstVisit, newestScanQuery } from '../scan/scan-query.ts';
import { toScanStage } from '../scan/scan-stage.ts';
import { useScan } from '../scan/use-scan.ts';
import { ScreenHeader } from '../shell/navigation/screen-header.tsx';
import { BlockError } from './block-error.tsx';
import { Cleaned } from './cleaned.tsx';
import clearableClasses from './clearable.module.css';
import { Clearable } from './clearable.tsx';
import { FirstClean } from './first-clean.tsx';
import { clearableQuery, mailboxQuery } from './home-queries.ts';
import classes from './home-screen.module.css';
import { MailboxNumbers } from './mailbox-numbers.tsx';
import { Payoff } from './payoff.tsx';
import { Steps } from './welcome/steps.tsx';

/** How often the suggestions are counted while a scan adds to them. Unit: milliseconds. */
const COUNTING_MS = 2_000;

const ClearableSkeleton = () => (
  <section className={clearableClasses.clearable} role="status" aria-label={t`Loading what can be cleaned`}>
    <Skeleton height={14} width={130} below={14} />
    <Skeleton height={40} width={220} below={12} />
    <Skeleton height={14} width={260} />
    <div className={clearableClasses.cards}>
      {[1, 2, 3].map((card) => (
        <Skeleton key={card} height={158} radius={12} className={classes.cardSkeleton} />
      ))}
    </div>
  </section>
);

/** What can go of the newest emails, the scan of the rest, and what it found. */
const Cleaning = () => {
  const { client } = useApi();
  const scan = useScan();
  const groups = useQuery({
    ...clearableQuery(client),
    refetchInterval: scan.isInProgress ? COUNTING_MS : false,
  });
  const { data: mailbox, isPending: isUncounted } = useQuery(mailboxQuery(client));
  const isEmpty = mailbox?.all === 0;
  const isFirst = useOnceTrue(isFirstVisit(scan.scan));
  const newest = useQuery({ ...newestEmailsQuery(client), enabled: isFirst });
  const hasWatched = useOnceTrue(scan.isInProgress);
  const isThrough = hasWatched && scan.scan?.state === 'completed';
  const { refetch } = groups;
  useEffect(() => {
    if (isThrough) void refetch();
  }, [isThrough, refetch]);
  const startsByItself =
    scan.scan === null && newest.data?.classified === true && !isUncounted && mailbox?.all !== 0;
  const { start } = scan;
  const latestStart = useEffectEvent(start);
  useEffect(() => {
    if (startsByItself) latestStart();
  }, [startsByItself]);
  if (groups.isPending || scan.isPending || (isFirst && newest.isLoading)) return <ClearableSkeleton />;
  if (groups.data === undefined)
    return <BlockError what={t`What can be cleaned is not known.`} query={groups} />;
  // That a scan is complete is known before the suggestions are counted once more.
  const coverage = isThrough ? { ...groups.data, complete: true } : groups.data;
  const stage = scan.scan === undefined ? undefined : toScanStage(scan.scan, coverage);
  const offer = stage === 'never' && !isEmpty && !startsByItself && (
    <p className={clearableClasses.offer}>
      <Trans>
        A scan reads the rest of your mailbox. Nothing is changed.
        <Button variant="default" loading={scan.isStarting} onClick={scan.start}>
          Scan my mailbox
        </Button>
      </Trans>
    </p>
  );
  return (
    <>
      <Payoff />
      {isFirst && newest.data?.classified && <FirstClean newest={newest.data} />}
      {newest.data?.classified === false && (
        <p className={classes.notice} role="status">
          <Trans>
            Your newest emails could not be judged: the classification service does not respond. Mailsweep
            tries again by itself.
          </Trans>
        </p>
      )}
      {newest.error && (
        <div className={classes.newestError}>
          <BlockError what={t`Your newest emails were not read.`} query={newest} />
        </div>
      )}
      {stage && stage !== 'never' && (
        <div className={classes.scan}>
          <ScanCard stage={stage} scan={scan} isAlone={false} />
        </div>
      )}
      {!startsByItself && (
        <Clearable
          groups={groups.data}
          isScanning={stage === 'in-progress'}
          isEmpty={isEmpty}
          offer={offer}
        />
      )}
    </>
  );
};

/** Whether it is not known yet what the cleaning part shows, so that its height may still change. */
const useIsCleaningPending = (): boolean => {
  const { client } = useApi();
  const groups = useQuery(clearableQuery(client));
  const scan = useQuery(newestScanQuery(client));
  const mailbox = useQuery(mailboxQuery(client)).data;
  const newest = useQuery({ ...newestEmailsQuery(client), enabled: false });
  // The first scan begins by itself once the newest emails are read.
  const beginsSoon =
    scan.data === null && mailbox?.all !== 0 && !newest.error && newest.data?.classified !== false;
  return groups.isPending || scan.isPending || beginsSoon;
};

/** What can be cleaned, how much email there is, and what was cleaned so far. */
export const HomeScreen = () => {
  const isCleaningPending = useIsCleaningPending();
  return (
    <div className={classes.screen}>
      <ScreenHeader title={t`Home`} />
      <div className={classes.parts}>
        <div className={classes.requests}>
          <CleanupRequests />
        </div>
        <div className={classes.steps}>
          <Steps />
        </div>
        <div className={classes.cleaning}>
          <Cleaning />
        </div>
        <div className={classes.aside} data-pending={isCleaningPending || undefined}>
          <MailboxNumbers />
          <Cleaned />
        </div>
      </div>
    </div>
  );
};

import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { ListSuggestionGroupsResponse } from '@mailsweep/contracts';
import { Button } from '@mantine/core';
import { IconChecks } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { SegmentedChoice } from '../../controls/segmented-choice.tsx';
import { countEmails, formatCount, formatShare } from '../../email/counts.ts';
import { type ScanCoverage, toScanStage } from '../../scan/scan-stage.ts';
import { describeFailure, describeWait } from '../../scan/scan-words.ts';
import { StartScanButton } from '../../scan/start-scan-button.tsx';
import { useScan } from '../../scan/use-scan.ts';
import { RenewButton } from '../../session/renew-button.tsx';
import shapes from '../../shapes.module.css';
import { describeToDo } from '../../suggestions/consequences.ts';
import { Timestamp } from '../../time/format-time.tsx';
import type { ReviewFilters, Shown, ShownFilters } from './review-filters.ts';
import classes from './review-toolbar.module.css';
import lineClasses from './whole-mailbox-line.module.css';

/** Each includes the one before; a choice that adds nothing is disabled. */
const toChoices = (
  confidence: ListSuggestionGroupsResponse['confidence'] | undefined,
  shown: Shown,
): { label: string; value: Shown; isDisabled: boolean }[] => {
  const { sure, likely, check } = confidence ?? { sure: 0, likely: 0, check: 0 };
  const toChoice = (value: Shown, label: string, added: number, count: number) => ({
    value,
    label: count > 0 ? `${label} ${formatCount(count)}` : label,
    isDisabled: confidence !== undefined && added === 0 && value !== shown,
  });
  return [
    toChoice('sure', t`Safe to clean`, sure, sure),
    toChoice('likely', t`Safe or probable`, likely, sure + likely),
    toChoice('everything', t`All`, check, sure + likely + check),
  ];
};

const CONTENTS: Record<Shown, MessageDescriptor> = {
  sure: msg`Going by your decisions, you agree with at least 95 of 100 of these.`,
  likely: msg`You will probably agree with at least 75 of 100 of these. A quick look is enough.`,
  everything: msg`Also what Mailsweep is less certain about: please check it before you accept.`,
};

/** Grouping, sureness, and accepting everything shown. */
export const ReviewToolbar = (props: {
  filters: ShownFilters;
  onChange: (change: Partial<ReviewFilters>) => void;
  confidence: ListSuggestionGroupsResponse['confidence'] | undefined;
  /** Ticked emails of those shown, by suggested action; none if accepting would do nothing. */
  chosen: Readonly<Record<string, number>>;
  onAcceptAll: () => void;
}) => {
  const { filters, onChange, chosen } = props;
  const toDo = describeToDo(chosen);
  return (
    <div className={`${shapes.filterBar} ${classes.bar}`}>
      <SegmentedChoice
        name={t`Which suggestions`}
        size="small"
        value={filters.show}
        onChange={(show) => onChange({ show })}
        choices={toChoices(props.confidence, filters.show)}
      />
      <SegmentedChoice
        name={t`Group by`}
        size="small"
        value={filters.by ?? 'sender'}
        onChange={(value) => onChange({ by: value === 'reason' ? 'reason' : undefined })}
        choices={[
          { value: 'sender', label: t`By sender` },
          { value: 'reason', label: t`By reason` },
        ]}
      />
      <Button
        variant="light"
        className={`${shapes.longButton} ${classes.all}`}
        disabled={toDo === ''}
        leftSection={<IconChecks size={17} aria-hidden="true" />}
        onClick={props.onAcceptAll}
      >
        {toDo === '' ? t`Accept all` : t`${toDo}…`}
      </Button>
      <p className={classes.contents}>{i18n._(CONTENTS[filters.show])}</p>
    </div>
  );
};

/** How much of the mailbox the suggestions cover, with an offer to scan the rest. */
export const WholeMailboxLine = ({ coverage }: { coverage: ScanCoverage | undefined }) => {
  const control = useScan();
  const { scan } = control;
  if (scan === undefined || !coverage) return <p className={lineClasses.line} />;
  const stage = toScanStage(scan, coverage);
  const start = (words: ReactNode) => (
    <StartScanButton scan={control} size="compact-sm" variant="light">
      {words}
    </StartScanButton>
  );
  if (stage === 'in-progress' && scan) {
    const { scanned, total } = scan;
    const wait = describeWait(scan);
    return (
      <div className={lineClasses.line} data-in-progress>
        <span>
          {[t`Scanning your mailbox`, total > scanned && formatShare(scanned / total)]
            .filter(Boolean)
            .join(': ')}
          . <span className={lineClasses.aside}>{wait ?? t`New suggestions appear here automatically.`}</span>
        </span>
        <progress
          className={lineClasses.progress}
          aria-label={t`Scanning your mailbox`}
          {...(total >= scanned && scanned > 0 && { max: total, value: scanned })}
        />
        <Button size="compact-sm" variant="subtle" loading={control.isCancelling} onClick={control.cancel}>
          <Trans>Stop</Trans>
        </Button>
      </div>
    );
  }
  let words: ReactNode;
  let action: ReactNode = null;
  if (stage === 'done' && coverage.scannedAt !== null) {
    words = (
      <Trans>
        From your whole mailbox, scanned <Timestamp value={coverage.scannedAt} style="ago" />.
      </Trans>
    );
  } else if (stage === 'stopped' && scan?.state === 'failed') {
    const isLapsed = scan.error === 'reauth_required' || scan.error === 'missing_scope';
    words = <Trans>Your mailbox could not be scanned. {describeFailure(scan)}</Trans>;
    action = isLapsed ? <RenewButton size="compact-sm" variant="light" /> : start(t`Try again`);
  } else if (stage === 'unclassified' && scan) {
    words = <Trans>{countEmails(scan.unclassified)} could not be judged yet.</Trans>;
    action = start(t`Scan again`);
  } else {
    if (stage === 'outdated') words = t`Much has changed since your mailbox was scanned.`;
    if (stage === 'stopped') words = t`Part of your mailbox has not been scanned.`;
    if (stage === 'never') words = t`These are from your newest emails.`;
    action = start(t`Scan my mailbox`);
  }
  return (
    <p className={lineClasses.line}>
      <span>{words}</span>
      {action}
    </p>
  );
};

import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { ACCEPTANCE_BANDS, type Agreement, type ListSuggestionGroupsResponse } from '@mailsweep/contracts';
import { Button } from '@mantine/core';
import { IconArrowRight, IconCheck, IconRadar2 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useApi } from '../api/api-context.tsx';
import { precisionQuery } from '../api/suggestions-query.ts';
import { AskedPlan } from '../cleanup/asked-plan.tsx';
import { usePlannedCleanup } from '../cleanup/use-planned-cleanup.ts';
import { formatCount } from '../email/counts.ts';
import shapes from '../shapes.module.css';
import { describeToDo } from '../suggestions/consequences.ts';
import { Timestamp } from '../time/format-time.tsx';
import classes from './clearable.module.css';
import { NextWins, usePayoff } from './payoff.tsx';

/** The part of the mailbox that suggestions cover. */
const Reach = ({ groups, isScanning }: { groups: ListSuggestionGroupsResponse; isScanning: boolean }) => {
  if (isScanning) return t`Found so far; the number rises while the scan is running.`;
  if (groups.complete && groups.scannedAt !== null)
    return (
      <Trans>
        In your whole mailbox, scanned <Timestamp value={groups.scannedAt} style="ago" />.
      </Trans>
    );
  return t`In the emails scanned so far.`;
};

const DEGREES = ['sure', 'likely'] as const;

/** How often the user agreed with such suggestions. */
const describeAgreement = (degree: (typeof DEGREES)[number], found: Agreement | undefined): string => {
  if (!found) return ' ';
  if (found.decided > 0)
    return t`You agreed with ${{ agreed: formatCount(found.agreed) }} of ${{ decided: formatCount(found.decided) }} such suggestions.`;
  return degree === 'sure'
    ? t`Going by your decisions, you agree with at least 95 of 100 of these.`
    : t`You have not decided about such suggestions yet.`;
};

/** What can go of one degree. Only what is safe and leaves the trash alone goes without a question. */
const Degree = (props: {
  degree: (typeof DEGREES)[number];
  counts: ListSuggestionGroupsResponse['actionsByDegree'];
  isMain: boolean;
}) => {
  const { degree, counts, isMain } = props;
  const cleanup = usePlannedCleanup();
  const [isCleaning, setCleaning] = useState(false);
  const { data: precision } = useQuery(precisionQuery(useApi().client));
  const { archive = 0, delete: trashed = 0 } = counts[degree];
  const count = archive + trashed;
  if (count === 0 && cleanup.question === null) return null;
  const toDo = describeToDo({ archive, delete: trashed });
  const clean = () =>
    cleanup.start({
      request: {
        action: 'accept',
        selection: {
          type: 'suggestions',
          actions: ['archive', 'delete'],
          minAcceptance: ACCEPTANCE_BANDS[degree],
          ...(degree === 'likely' && { belowAcceptance: ACCEPTANCE_BANDS.sure }),
          except: [],
        },
      },
      count,
      asksFirst: degree === 'likely' || trashed > 0,
      onStart: () => {
        setCleaning(true);
        return () => setCleaning(false);
      },
    });
  return (
    <li className={classes.degree}>
      <div>
        <h3 className={classes.degreeTitle}>
          {degree === 'sure'
            ? plural(count, { one: '# email is safe to clean', other: '# emails are safe to clean' })
            : plural(count, { one: '# email can probably go', other: '# emails can probably go' })}
        </h3>
        <p className={classes.note}>{describeAgreement(degree, precision?.[degree])}</p>
      </div>
      <Button
        size="md"
        className={shapes.longButton}
        loading={isCleaning}
        {...(!isMain && { variant: 'light' })}
        onClick={clean}
      >
        {degree === 'likely' || trashed > 0 ? t`${toDo}…` : toDo}
      </Button>
      <AskedPlan cleanup={cleanup} />
    </li>
  );
};

const toNothing = (props: { isScanning: boolean; isComplete: boolean; isEmpty: boolean }) => {
  if (props.isEmpty)
    return {
      title: t`Your mailbox is empty`,
      text: t`There is nothing to clean. Suggestions for new email show up here.`,
    };
  if (props.isScanning)
    return { title: t`Nothing found yet`, text: t`Suggestions show up here while the scan is running.` };
  if (props.isComplete)
    return {
      title: t`Nothing left to clean`,
      text: t`Every suggestion is decided. Those for new email show up here.`,
    };
  return { title: t`Nothing to clean so far`, text: t`The emails scanned so far need no cleaning.` };
};

/**
 * Open suggestions, and what accepting them does.
 *
 * @param props.offer - offers a first scan
 */
export const Clearable = (props: {
  groups: ListSuggestionGroupsResponse;
  isScanning: boolean;
  /** Whether the mailbox has no email at all. */
  isEmpty: boolean;
  offer: ReactNode;
}) => {
  const { groups, isScanning, isEmpty, offer } = props;
  const payoff = usePayoff();
  const { emails, complete } = groups;
  if (emails === 0) {
    const { title, text } = toNothing({ isScanning, isComplete: complete, isEmpty });
    return (
      <section className={`${shapes.card} ${classes.clearable}`} aria-labelledby="clearable-title">
        <div className={classes.nothing}>
          <span className={classes.sign} aria-hidden="true">
            {isScanning ? <IconRadar2 /> : <IconCheck />}
          </span>
          <h2 id="clearable-title" className={classes.nothingTitle}>
            {title}
          </h2>
          <p className={classes.note}>{text}</p>
          {!payoff && !isEmpty && !isScanning && complete && <NextWins />}
          {offer}
        </div>
      </section>
    );
  }
  return (
    <section className={`${shapes.card} ${classes.clearable}`} aria-labelledby="clearable-title">
      <h2 id="clearable-title" className={classes.title}>
        <Trans>What can be cleaned</Trans>
      </h2>
      <p className={classes.note}>
        <Reach groups={groups} isScanning={isScanning} />{' '}
        <Trans>What you protected, starred or answered stays. You can undo it.</Trans>
      </p>
      <ul className={`${shapes.plainList} ${classes.degrees}`} aria-labelledby="clearable-title">
        {DEGREES.map((degree) => (
          <Degree
            key={degree}
            degree={degree}
            counts={groups.actionsByDegree}
            isMain={degree === 'sure' || groups.confidence.sure === 0}
          />
        ))}
      </ul>
      <Button
        // The number counts every suggestion, not only sure ones.
        renderRoot={(props) => <Link {...props} to="/suggestions" search={{ show: 'everything' }} />}
        variant="default"
        className={classes.review}
        rightSection={<IconArrowRight size={18} aria-hidden="true" />}
      >
        {plural(emails, { one: 'Review # suggestion', other: 'Review # suggestions' })}
      </Button>
      {offer}
    </section>
  );
};

import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { ListSuggestionGroupsResponse, SuggestionGroup } from '@mailsweep/contracts';
import { Button } from '@mantine/core';
import { IconArrowRight, IconCheck, IconRadar2 } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { RunningCount } from '../controls/running-count.tsx';
import shapes from '../shapes.module.css';
import { Timestamp } from '../time/timestamp.tsx';
import classes from './clearable.module.css';
import { GroupCard } from './group-card.tsx';
import { NextWins, usePayoff } from './payoff.tsx';

/** Groups that are shown. */
const GROUPS_SHOWN = 3;

/** Emails that leave the inbox or the mailbox when the suggestions of a group are accepted. */
const countCleared = ({ actions }: SuggestionGroup): number => (actions.archive ?? 0) + (actions.delete ?? 0);

/** The groups that clear most emails, the largest first; those that only label or notify clear none. */
const toLargestGroups = (groups: readonly SuggestionGroup[]): SuggestionGroup[] =>
  groups
    .filter((group) => countCleared(group) > 0)
    .toSorted((one, other) => countCleared(other) - countCleared(one))
    .slice(0, GROUPS_SHOWN);

/** Which emails the suggestions are from. */
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
 * What can be cleaned: how many suggestions are open, the largest groups, and the way to all of them.
 *
 * @param props.offer - a scan that has not been made yet
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
  const largest = toLargestGroups(groups.data);
  return (
    <section className={`${shapes.card} ${classes.clearable}`} aria-labelledby="clearable-title">
      <div className={classes.head}>
        <div className={classes.words}>
          <h2 id="clearable-title" className={classes.title}>
            <Trans>What can be cleaned</Trans>
          </h2>
          <p className={classes.count}>
            <RunningCount count={emails} />{' '}
            <span className={classes.unit}>
              {plural(emails, { one: 'suggestion', other: 'suggestions' })}
            </span>
          </p>
          <p className={classes.note}>
            <Reach groups={groups} isScanning={isScanning} />
          </p>
        </div>
        <Button
          // The number counts every suggestion, not only the sure ones.
          renderRoot={(props) => <Link {...props} to="/suggestions" search={{ show: 'everything' }} />}
          size="md"
          className={classes.review}
          rightSection={<IconArrowRight size={18} aria-hidden="true" />}
        >
          {plural(emails, { one: 'Review # suggestion', other: 'Review # suggestions' })}
        </Button>
      </div>
      {largest.length > 0 && (
        <ul className={classes.cards} aria-label={t`Largest groups`}>
          {largest.map((group) => (
            <li key={group.key}>
              <GroupCard group={group} />
            </li>
          ))}
        </ul>
      )}
      {offer}
    </section>
  );
};

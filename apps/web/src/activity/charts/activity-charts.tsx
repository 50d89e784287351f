import { i18n } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import type { Activity, Counts } from '@mailsweep/contracts';
import { formatCount, formatShare } from '../../email/counts.ts';
import { describeReason } from '../../suggestions/suggestion-words.ts';
import { type Bar, BarList } from './bar-list.tsx';
import classes from './chart-card.module.css';
import { ChartCard } from './chart-card.tsx';
import { toAcceptance } from './decisions-by-day.ts';

/** Classifications shown; the rest is too rare to tell. */
const CLASSIFICATIONS_SHOWN = 6;

/** What counts as cleaned. */
const DONE = [
  { action: 'archive', name: msg`Archived` },
  { action: 'delete', name: msg`Moved to Trash` },
  { action: 'label', name: msg`Labelled` },
] as const;

const toActionBars = (counts: Counts): Bar[] =>
  DONE.map(({ action, name }) => ({ name: i18n._(name), count: counts[action] ?? 0, color: action })).filter(
    ({ count }) => count > 0,
  );

/** The longer the bar, the more often the user agreed. */
const toAcceptanceBars = (decisions: Activity['decisions']): Bar[] =>
  decisions.slice(0, CLASSIFICATIONS_SHOWN).map(({ classification, ...counts }) => {
    const share = toAcceptance(counts) ?? 0;
    return {
      name: describeReason(classification).name,
      count: share,
      label: t`${{ share: formatShare(share) }} of ${{ count: formatCount(counts.accepted + counts.rejected) }}`,
      color: 'archive',
    };
  });

/** What was done to email, and how often the user agreed with each kind of suggestion. */
export const ActivityCharts = ({ activity }: { activity: Activity | undefined }) => (
  <div className={classes.charts}>
    <ChartCard title={t`What was done`} note={t`Each email counts once; what you undid does not count.`}>
      <BarList
        title={t`Emails by action`}
        bars={activity && toActionBars(activity.byAction)}
        mostBars={DONE.length}
        empty={t`Nothing was cleaned in this time.`}
      />
    </ChartCard>
    <ChartCard title={t`How often you accepted`} note={t`By kind of suggestion, the most frequent first.`}>
      <BarList
        title={t`Accepted suggestions by kind`}
        bars={activity && toAcceptanceBars(activity.decisions)}
        mostBars={CLASSIFICATIONS_SHOWN}
        longestBar={1}
        empty={t`You decided nothing in this time.`}
      />
    </ChartCard>
  </div>
);

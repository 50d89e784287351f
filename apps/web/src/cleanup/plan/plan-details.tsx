import { t } from '@lingui/core/macro';
import type { CleanupPlan } from '@mailsweep/contracts';
import { toPlanOfCounts } from '../../suggestions/plan.ts';
import { PlanSummary } from '../../suggestions/plan-summary.tsx';
import { describeExclusions } from './cleanup-words.ts';
import classes from './plan-dialog.module.css';
import { type LeftOut, PlanEmails } from './plan-emails.tsx';

/** What a plan does in exact numbers, what it leaves out and why, and its emails, from which some may be unticked. */
export const PlanDetails = ({ plan, leftOut }: { plan: CleanupPlan; leftOut: LeftOut | undefined }) => {
  const { counts } = toPlanOfCounts(plan.plannedActions);
  // What moves to the trash comes first.
  counts.sort((a, b) => Number(b.action === 'delete') - Number(a.action === 'delete'));
  return (
    <>
      {plan.total > 0 && plan.action === 'accept' && (
        <div className={classes.actions}>
          <PlanSummary plan={toPlanOfCounts(plan.plannedActions)} />
        </div>
      )}
      {counts.map(({ action, count }) => (
        <PlanEmails
          key={action}
          plan={plan}
          action={action}
          count={counts.length > 1 ? count : plan.total}
          leftOut={leftOut}
        />
      ))}
      <p className={classes.note}>
        {plan.total === 0 && `${t`No email matches, or all that match are left out.`} `}
        {plan.total > 0 && `${t`No other email is touched.`} `}
        {describeExclusions(plan.excluded)}{' '}
        {plan.isComplete ? '' : `${t`These are the newest; run it again for the others.`} `}
        {plan.total > 0 && t`You can undo this, also later from the history.`}
      </p>
    </>
  );
};

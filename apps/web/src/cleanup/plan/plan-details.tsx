import { t } from '@lingui/core/macro';
import type { CleanupPlan } from '@mailsweep/contracts';
import { formatCount } from '../../email/counts.ts';
import { toPlanOfCounts } from '../../suggestions/plan.ts';
import { PlanSummary } from '../../suggestions/plan-summary.tsx';
import { describeExclusions } from './cleanup-words.ts';
import { EmailNames } from './email-names.tsx';
import classes from './plan-dialog.module.css';
import { TrashList } from './trash-list.tsx';

/** Emails of the plan that are shown where none goes to the trash. */
const SAMPLE_SHOWN = 5;

/** What a plan does in exact numbers, what it leaves out and why, and which emails it moves to the trash. */
export const PlanDetails = ({ plan }: { plan: CleanupPlan }) => {
  const trashed = plan.plannedActions.delete ?? 0;
  const shown = trashed > 0 ? [] : plan.sample.slice(0, SAMPLE_SHOWN);
  const rest = plan.total - shown.length;
  return (
    <>
      {plan.total > 0 && plan.action === 'accept' && (
        <div className={classes.actions}>
          <PlanSummary plan={toPlanOfCounts(plan.plannedActions)} />
        </div>
      )}
      {trashed > 0 && <TrashList cleanupId={plan.id} count={trashed} />}
      {shown.length > 0 && <EmailNames label={t`Some of them`} emails={shown} />}
      <p className={classes.note}>
        {plan.total === 0 && `${t`No email matches, or all that match are left out.`} `}
        {shown.length > 0 && rest > 0 && `${t`And ${formatCount(rest)} more.`} `}
        {plan.total > 0 && `${t`No other email is touched.`} `}
        {describeExclusions(plan.excluded)}{' '}
        {plan.isComplete ? '' : `${t`These are the newest; run it again for the others.`} `}
        {plan.total > 0 && t`You can undo this with Z or from the history.`}
      </p>
    </>
  );
};

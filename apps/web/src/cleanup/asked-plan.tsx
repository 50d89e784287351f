import type { ReactNode } from 'react';
import { lazyPart } from '../lazy-parts/lazy-part.ts';
import { PartBoundary } from '../lazy-parts/part-boundary.tsx';
import type { PlannedCleanup } from './use-planned-cleanup.ts';

const PlanDialog = lazyPart(async () => (await import('./plan/plan-dialog.tsx')).PlanDialog);

/**
 * The dialog that asks whether to run a cleanup's plan, while there is a question.
 *
 * @param props.choice - lets the user choose another plan
 */
export const AskedPlan = (props: {
  cleanup: Pick<PlannedCleanup, 'question' | 'cancel' | 'runPlan'>;
  choice?: ReactNode;
}) => {
  const { question, cancel, runPlan } = props.cleanup;
  return (
    <PartBoundary>
      {question && <PlanDialog question={question} onClose={cancel} onYes={runPlan} choice={props.choice} />}
    </PartBoundary>
  );
};

import { t } from '@lingui/core/macro';
import type { Rule } from '@mailsweep/contracts';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../api/api-context.tsx';
import { PlanDetails } from '../cleanup/plan/plan-details.tsx';
import { Dialog } from '../controls/dialog.tsx';
import { DialogButtons } from '../controls/dialog-buttons.tsx';
import { countEmails } from '../email/counts.ts';
import { ErrorState } from '../feedback/error-state.tsx';
import { Skeleton } from '../feedback/skeleton.tsx';
import { describeRule } from './rule-words.ts';
import { rulePreviewQuery } from './rules-query.ts';
import { useRules } from './use-rules.ts';

const Preview = ({ rule, onClose }: { rule: Rule; onClose: () => void }) => {
  const { data: plan, error, refetch } = useQuery(rulePreviewQuery(useApi().client, rule));
  const { change, run } = useRules();
  return (
    <>
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!plan && !error && <Skeleton height={120} below={16} />}
      {plan && (
        <>
          <p>
            <strong>{t`If it ran now: ${{ emails: countEmails(plan.total) }}.`}</strong>{' '}
            {t`Nothing has been changed.`}
          </p>
          <PlanDetails plan={plan} leftOut={undefined} />
        </>
      )}
      <DialogButtons onCancel={onClose} label={t`Close`} hasFocus>
        {plan && plan.total > 0 && (
          <Button
            variant="default"
            onClick={() => {
              run(plan);
              onClose();
            }}
          >
            {t`Run now`}
          </Button>
        )}
        {plan && !rule.enabled && (
          <Button
            loading={change.isPending}
            onClick={() => change.mutate({ rule, body: { enabled: true } }, { onSuccess: onClose })}
          >
            {t`Turn on`}
          </Button>
        )}
      </DialogButtons>
    </>
  );
};

/** What a rule would do now. Nothing happens until the user has it run once, or turns it on. */
export const RulePreview = ({ rule, onClose }: { rule: Rule | undefined; onClose: () => void }) => (
  <Dialog
    opened={rule !== undefined}
    onClose={onClose}
    title={rule && describeRule(rule)}
    closeLabel={t`Close`}
  >
    {rule && <Preview rule={rule} onClose={onClose} />}
  </Dialog>
);

import { t } from '@lingui/core/macro';
import type { CleanupPlan, Rule } from '@mailsweep/contracts';
import { Button } from '@mantine/core';
import { IconRepeat } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../api/api-context.tsx';
import { type CleanupQuestion, PlanDialog } from '../cleanup/plan/plan-dialog.tsx';
import { EmptyState } from '../feedback/empty-state.tsx';
import { ErrorState } from '../feedback/error-state.tsx';
import { Skeleton } from '../feedback/skeleton.tsx';
import shapes from '../shapes.module.css';
import { ScreenHeader } from '../shell/navigation/screen-header.tsx';
import { RuleCard } from './rule-card.tsx';
import { RuleDialog } from './rule-dialog.tsx';
import { rulesQuery } from './rules-query.ts';
import classes from './rules-screen.module.css';
import { useRules } from './use-rules.ts';
import { WatchNotice } from './watch-notice.tsx';

/** What a plan asks; the dialog does not plan again. */
const toQuestion = (plan: CleanupPlan): CleanupQuestion => ({
  request: { action: plan.action, selection: plan.selection },
  plan,
});

/** The user's rules: what Mailsweep does automatically. */
export const RulesScreen = () => {
  const { client } = useApi();
  const { data: rules, error, refetch } = useQuery(rulesQuery(client));
  const { run } = useRules();
  const [edited, setEdited] = useState<Rule | 'new' | null>(null);
  const [question, setQuestion] = useState<CleanupQuestion | null>(null);
  return (
    <div className={classes.screen}>
      <ScreenHeader title={t`Rules`}>
        <Button onClick={() => setEdited('new')}>{t`New rule`}</Button>
      </ScreenHeader>
      <div className={classes.body}>
        <WatchNotice />
        {error && !rules && <ErrorState error={error} onRetry={() => void refetch()} />}
        {!error && !rules && <Skeleton height={140} />}
        {rules?.length === 0 && (
          <EmptyState icon={<IconRepeat size={28} />} title={t`No rules yet`}>
            {t`For example, archive the email of a shop after a week. Rules never touch protected email, and everything they do can be undone.`}
          </EmptyState>
        )}
        {rules && rules.length > 0 && (
          <ul className={`${shapes.plainList} ${classes.rules}`}>
            {rules.map((rule) => (
              <RuleCard
                key={rule.id}
                rule={rule}
                onPlan={(plan) => setQuestion(toQuestion(plan))}
                onEdit={() => setEdited(rule)}
              />
            ))}
          </ul>
        )}
      </div>
      <RuleDialog edited={edited} onClose={() => setEdited(null)} />
      <PlanDialog
        question={question}
        onClose={() => setQuestion(null)}
        onYes={(plan) => {
          setQuestion(null);
          run(plan);
        }}
      />
    </div>
  );
};

import { t } from '@lingui/core/macro';
import type { CleanupPlan, Rule } from '@mailsweep/contracts';
import { Button, Switch } from '@mantine/core';
import { describeRule, describeRuns } from './rule-words.ts';
import classes from './rules-screen.module.css';
import { useRules } from './use-rules.ts';

/** One rule: what it does, what it did, and what can be done with it. */
export const RuleCard = (props: { rule: Rule; onPlan: (plan: CleanupPlan) => void }) => {
  const { rule, onPlan } = props;
  const { enable, remove, preview, undo } = useRules();
  const name = describeRule(rule);
  const { lastRun } = rule;
  const canUndoLast = lastRun !== null && lastRun.state !== null && lastRun.undone < lastRun.actions;
  const canUndoAll = rule.counts.undone < rule.counts.actions;
  return (
    <li className={classes.rule}>
      <div className={classes.head}>
        <h2 className={classes.name}>
          <bdi>{name}</bdi>
        </h2>
        <Switch
          size="md"
          checked={enable.isPending ? enable.variables.enabled : rule.enabled}
          onChange={(event) => enable.mutate({ rule, enabled: event.currentTarget.checked })}
          aria-label={t`Run by itself: ${{ name }}`}
        />
      </div>
      <p className={classes.note}>{describeRuns(rule, new Date())}</p>
      {rule.pausedReason === 'undone' && (
        <p className={classes.paused}>
          {t`It has paused itself, because you have undone at least a tenth of what it did. Switch it on again to go on.`}
        </p>
      )}
      <div className={classes.buttons}>
        <Button
          variant="default"
          size="compact-md"
          loading={preview.isPending}
          aria-label={t`See what it would do now: ${{ name }}`}
          onClick={() => preview.mutate(rule, { onSuccess: onPlan })}
        >
          {t`See what it would do now`}
        </Button>
        {canUndoLast && (
          <Button
            variant="default"
            size="compact-md"
            loading={undo.isPending}
            aria-label={t`Undo the last run: ${{ name }}`}
            onClick={() => undo.mutate({ rule, isLast: true })}
          >
            {t`Undo the last run`}
          </Button>
        )}
        {canUndoAll && (
          <Button
            variant="default"
            size="compact-md"
            loading={undo.isPending}
            aria-label={t`Undo all runs: ${{ name }}`}
            onClick={() => undo.mutate({ rule, isLast: false })}
          >
            {t`Undo all runs`}
          </Button>
        )}
        <Button
          variant="default"
          size="compact-md"
          loading={remove.isPending}
          aria-label={t`Delete: ${{ name }}`}
          onClick={() => remove.mutate(rule)}
        >
          {t`Delete`}
        </Button>
      </div>
    </li>
  );
};

import { t } from '@lingui/core/macro';
import type { Rule } from '@mailsweep/contracts';
import { Button, Switch } from '@mantine/core';
import { describeConfidence, describeRule, describeRuns, describeUndoing } from './rule-words.ts';
import classes from './rules-screen.module.css';
import { useRules } from './use-rules.ts';

/** One rule: what it does, what it did, and what can be done with it. It is turned on in its preview. */
export const RuleCard = (props: { rule: Rule; onPreview: () => void; onEdit: () => void }) => {
  const { rule, onPreview, onEdit } = props;
  const { change, remove, undo } = useRules();
  const name = describeRule(rule);
  const { lastRun } = rule;
  const isUndoing = undo.isPending || rule.undoing > 0;
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
          checked={change.isPending ? (change.variables.body.enabled ?? rule.enabled) : rule.enabled}
          onChange={(event) => {
            // What it would do comes first.
            if (event.currentTarget.checked) onPreview();
            else change.mutate({ rule, body: { enabled: false } });
          }}
          aria-label={t`On: ${{ name }}`}
        />
      </div>
      <p className={classes.note}>
        {[describeConfidence(rule), describeRuns(rule, new Date())].filter(Boolean).join(' ')}
      </p>
      {rule.undoing > 0 && (
        <p className={classes.undoing} role="status">
          {describeUndoing(rule.undoing)}
        </p>
      )}
      {rule.pausedReason === 'undone' && (
        <p className={classes.paused}>
          {t`Paused: you have undone at least a tenth of what it did. Turn it on to resume.`}
        </p>
      )}
      <div className={classes.buttons}>
        <Button variant="default" size="compact-md" aria-label={t`Preview: ${{ name }}`} onClick={onPreview}>
          {t`Preview`}
        </Button>
        <Button variant="default" size="compact-md" aria-label={t`Edit: ${{ name }}`} onClick={onEdit}>
          {t`Edit`}
        </Button>
        {canUndoLast && (
          <Button
            variant="default"
            size="compact-md"
            disabled={isUndoing}
            aria-label={t`Undo last run: ${{ name }}`}
            onClick={() => undo.mutate({ rule, isLast: true })}
          >
            {t`Undo last run`}
          </Button>
        )}
        {canUndoAll && (
          <Button
            variant="default"
            size="compact-md"
            disabled={isUndoing}
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

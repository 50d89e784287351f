import { t } from '@lingui/core/macro';
import type { Rule } from '@mailsweep/contracts';
import { Button, Switch } from '@mantine/core';
import { IconRepeat } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useApi } from '../api/api-context.tsx';
import { PlanDetails } from '../cleanup/plan/plan-dialog.tsx';
import { Dialog, DialogButtons } from '../controls/dialog.tsx';
import { countEmails } from '../email/counts.ts';
import { EmptyState } from '../feedback/empty-state.tsx';
import { ErrorState } from '../feedback/error-state.tsx';
import { Skeleton } from '../feedback/skeleton.tsx';
import shapes from '../shapes.module.css';
import { ScreenHeader } from '../shell/navigation/screen-header.tsx';
import { ExportDialog } from './export-dialog.tsx';
import { RuleForm } from './rule-form.tsx';
import { describeConfidence, describeRule, describeRuns, describeUndoing } from './rule-words.ts';
import { rulePreviewQuery, rulesQuery } from './rules-query.ts';
import classes from './rules-screen.module.css';
import { useRules } from './use-rules.ts';
import { WatchNotice } from './watch-notice.tsx';

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

/** What a rule would do now. The user may run it once, or turn it on. */
const RulePreview = ({ rule, onClose }: { rule: Rule | undefined; onClose: () => void }) => (
  <Dialog
    opened={rule !== undefined}
    onClose={onClose}
    title={rule && describeRule(rule)}
    closeLabel={t`Close`}
  >
    {rule && <Preview rule={rule} onClose={onClose} />}
  </Dialog>
);

/** A rule: what it does and did, and its actions. Its preview turns it on. */
const RuleCard = (props: { rule: Rule; onPreview: () => void; onEdit: () => void }) => {
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
            // The preview comes first.
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

const route = getRouteApi('/app/rules');

/** What Mailsweep does automatically. The address has the previewed rule. */
export const RulesScreen = () => {
  const { data: rules, error, refetch } = useQuery(rulesQuery(useApi().client));
  const { preview } = route.useSearch();
  const navigate = route.useNavigate();
  const [edited, setEdited] = useState<Rule | 'new' | null>(null);
  const [isExporting, setExporting] = useState(false);
  const closeForm = () => setEdited(null);
  const open = (id: string | undefined) => void navigate({ search: { preview: id } });
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
          <>
            <ul className={`${shapes.plainList} ${classes.rules}`}>
              {rules.map((rule) => (
                <RuleCard
                  key={rule.id}
                  rule={rule}
                  onPreview={() => open(rule.id)}
                  onEdit={() => setEdited(rule)}
                />
              ))}
            </ul>
            <div className={classes.buttons}>
              <Button variant="default" onClick={() => setExporting(true)}>{t`Export…`}</Button>
            </div>
          </>
        )}
      </div>
      <Dialog
        opened={edited !== null}
        onClose={closeForm}
        title={edited === 'new' ? t`New rule` : t`Edit rule`}
        closeLabel={t`Cancel`}
      >
        {edited !== null && (
          <RuleForm
            rule={edited === 'new' ? null : edited}
            onClose={closeForm}
            onToPreview={({ id }) => open(id)}
          />
        )}
      </Dialog>
      <ExportDialog rules={rules ?? []} opened={isExporting} onClose={() => setExporting(false)} />
      <RulePreview rule={rules?.find(({ id }) => id === preview)} onClose={() => open(undefined)} />
    </div>
  );
};

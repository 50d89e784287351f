import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, plural, t } from '@lingui/core/macro';
import type { ExportRulesQuery, Rule, RuleDifference, RuleOmission } from '@mailsweep/contracts';
import { Button, Switch } from '@mantine/core';
import { IconRepeat } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useApi } from '../api/api-context.tsx';
import { RULES_KEY } from '../api/query-keys.ts';
import { PlanDetails } from '../cleanup/plan/plan-dialog.tsx';
import { Dialog, DialogButtons } from '../controls/dialog.tsx';
import { saveFile } from '../controls/save-file.ts';
import { SegmentedChoice } from '../controls/segmented-choice.tsx';
import { Select } from '../controls/select.tsx';
import { countEmails } from '../email/counts.ts';
import { EmptyState } from '../feedback/empty-state.tsx';
import { ErrorState } from '../feedback/error-state.tsx';
import { Skeleton } from '../feedback/skeleton.tsx';
import shapes from '../shapes.module.css';
import { ScreenHeader } from '../shell/navigation/screen-header.tsx';
import formClasses from './rule-form.module.css';
import { RuleForm } from './rule-form.tsx';
import { describeConfidence, describeRule, describeRuns, describeUndoing } from './rule-words.ts';
import { rulesQuery } from './rules-query.ts';
import classes from './rules-screen.module.css';
import { useRules } from './use-rules.ts';
import { WatchNotice } from './watch-notice.tsx';

type Format = ExportRulesQuery['format'];

const OMISSIONS: Record<RuleOmission, MessageDescriptor> = {
  disabled: msg`it is off`,
  age: msg`it waits some days, and there rules act at once`,
  newest: msg`it leaves the newest emails, and there rules look at one email`,
  classification: msg`only Mailsweep knows kinds of email`,
  sender: msg`the address of a sender cannot be expressed exactly`,
  label: msg`the name of the label cannot be expressed exactly`,
  protected_sender: msg`Mailsweep leaves email of this sender alone`,
};

const DIFFERENCES: Record<RuleDifference, MessageDescriptor> = {
  arrival: msg`They act on new email as it arrives, not on what is there already.`,
  protections: msg`They do not know what Mailsweep protects: starred and important email, conversations, invitations, receipts.`,
  history: msg`What they do is not in your history, and cannot be undone here.`,
  senders: msg`They may also take email of similar senders: longer addresses in Gmail, several authors in Sieve.`,
  labels: msg`Instead of a label, a copy goes to a folder of that name.`,
};

const WAYS: Record<Format, MessageDescriptor> = {
  gmail: msg`In Gmail on a computer, open Settings, Filters and blocked addresses, Import filters.`,
  sieve: msg`Many mail servers run Sieve scripts. Look for Sieve in the settings of yours.`,
};

const Lines = ({ title, lines }: { title: string; lines: readonly string[] }) =>
  lines.length > 0 && (
    <>
      <p className={formClasses.note}>{title}</p>
      <ul aria-label={title}>
        {lines.map((line) => (
          <li key={line} dir="auto">
            {line}
          </li>
        ))}
      </ul>
    </>
  );

/** Rules as a file for Gmail or a mail server, with what it cannot express. */
const ExportDialog = ({ rules, onClose }: { rules: readonly Rule[]; onClose: () => void }) => {
  const { client } = useApi();
  const [format, setFormat] = useState<Format>('gmail');
  const [ruleId, setRuleId] = useState('');
  const asked = { format, ...(ruleId !== '' && { ruleId }) };
  const {
    data: file,
    error,
    refetch,
    isPlaceholderData,
  } = useQuery({
    queryKey: [...RULES_KEY, 'file', asked],
    queryFn: ({ signal }) => client.exportRules({ query: asked, signal }),
    placeholderData: keepPreviousData,
  });
  const nameOf = (id: string) => {
    const rule = rules.find((one) => one.id === id);
    return rule ? describeRule(rule) : id;
  };
  return (
    <Dialog onClose={onClose} title={t`Export rules`} closeLabel={t`Close`}>
      <div className={formClasses.form}>
        <p className={formClasses.note}>
          {t`Rules in a file work without Mailsweep. Turn them off here once they work there.`}
        </p>
        <SegmentedChoice
          name={t`Format`}
          value={format}
          onChange={setFormat}
          choices={[
            { value: 'gmail', label: 'Gmail' },
            { value: 'sieve', label: 'Sieve' },
          ]}
        />
        <label className={formClasses.field}>
          <span>{t`Rules`}</span>
          <Select
            value={ruleId}
            onChange={setRuleId}
            choices={[
              { value: '', label: t`All that are on` },
              ...rules.map((rule) => ({ value: rule.id, label: describeRule(rule) })),
            ]}
          />
        </label>
        <p className={formClasses.note}>{i18n._(WAYS[format])}</p>
        {error && <ErrorState error={error} onRetry={() => void refetch()} />}
        {!file && !error && <Skeleton height={160} />}
        {file && (
          <section aria-label={t`In the file`} style={{ overflowWrap: 'anywhere' }}>
            <strong>
              {plural(file.exported.length, {
                0: 'No rule can be exported.',
                one: '# rule is in the file.',
                other: '# rules are in the file.',
              })}
            </strong>
            <Lines
              title={t`Left out`}
              lines={file.leftOut.map(
                ({ ruleId: id, reasons }) =>
                  `${nameOf(id)}: ${reasons.map((reason) => i18n._(OMISSIONS[reason])).join('; ')}`,
              )}
            />
            <Lines
              title={t`What differs`}
              lines={file.differences.map((difference) => i18n._(DIFFERENCES[difference]))}
            />
          </section>
        )}
        <DialogButtons onCancel={onClose} label={t`Close`}>
          <Button
            disabled={!file || isPlaceholderData || file.exported.length === 0}
            onClick={() => file && saveFile(file.fileName, file.content, file.mediaType)}
          >
            {t`Download`}
          </Button>
        </DialogButtons>
      </div>
    </Dialog>
  );
};

/** What a rule would do now. The user may run it once, or turn it on. */
const RulePreview = ({ rule, onClose }: { rule: Rule; onClose: () => void }) => {
  const { client } = useApi();
  const {
    data: plan,
    error,
    refetch,
  } = useQuery({
    queryKey: ['rule-preview', rule.id, rule.updatedAt],
    queryFn: ({ signal }) => client.previewRule({ params: { id: rule.id }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const { change, run } = useRules();
  return (
    <Dialog onClose={onClose} title={describeRule(rule)} closeLabel={t`Close`}>
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
    </Dialog>
  );
};

/** A rule: what it does and did, and its actions. Its preview turns it on. */
const RuleCard = (props: { rule: Rule; onPreview: () => void; onEdit: () => void }) => {
  const { rule, onPreview, onEdit } = props;
  const { change, remove, undo } = useRules();
  const name = describeRule(rule);
  const { lastRun } = rule;
  const look = { variant: 'default', size: 'compact-md' } as const;
  const undoing = (isLast: boolean) => ({
    ...look,
    disabled: undo.isPending || rule.undoing > 0,
    onClick: () => undo.mutate({ rule, isLast }),
  });
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
        <Button {...look} aria-label={t`Preview: ${{ name }}`} onClick={onPreview}>
          {t`Preview`}
        </Button>
        <Button {...look} aria-label={t`Edit: ${{ name }}`} onClick={onEdit}>
          {t`Edit`}
        </Button>
        {canUndoLast && (
          <Button {...undoing(true)} aria-label={t`Undo last run: ${{ name }}`}>
            {t`Undo last run`}
          </Button>
        )}
        {canUndoAll && (
          <Button {...undoing(false)} aria-label={t`Undo all runs: ${{ name }}`}>
            {t`Undo all runs`}
          </Button>
        )}
        <Button
          {...look}
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
  const previewed = rules?.find(({ id }) => id === preview);
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
      {edited !== null && (
        <Dialog onClose={closeForm} title={edited === 'new' ? t`New rule` : t`Edit rule`}>
          <RuleForm
            rule={edited === 'new' ? null : edited}
            onClose={closeForm}
            onToPreview={({ id }) => open(id)}
          />
        </Dialog>
      )}
      {isExporting && <ExportDialog rules={rules ?? []} onClose={() => setExporting(false)} />}
      {previewed && <RulePreview rule={previewed} onClose={() => open(undefined)} />}
    </div>
  );
};

import { t } from '@lingui/core/macro';
import { MAX_LABEL_LENGTH, type Rule, type RuleAction } from '@mailsweep/contracts';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { DialogButtons } from '../controls/dialog-buttons.tsx';
import { Select } from '../controls/select.tsx';
import { toActionChoices } from '../email/action-words.ts';
import { formatShare } from '../email/counts.ts';
import { useTrashNote } from '../session/use-mailbox.ts';
import shapes from '../shapes.module.css';
import { listSubjects, toCondition } from './rule-condition.ts';
import classes from './rule-form.module.css';
import { countDays } from './rule-words.ts';
import { type RuleSubject, SubjectChoice } from './subject-choice.tsx';
import { useRules } from './use-rules.ts';

const AGES = [0, 1, 3, 7, 14, 30, 90, 365];
const DEFAULT_AGE = 7;
/** Lowest confidences of the classification. */
const CONFIDENCES = [0.5, 0.75, 0.9, 0.95];
const DEFAULT_CONFIDENCE = 0.9;

const withPresent = (choices: readonly number[], present: number): number[] =>
  [...new Set([...choices, present])].sort((one, other) => one - other);

const toSubject = (rule: Rule | null): RuleSubject => {
  if (rule === null) return { senders: [], classifications: [] };
  const { senders, classifications } = listSubjects(rule);
  return { senders: senders.map(({ sender, from }) => ({ id: sender, from })), classifications };
};

/**
 * What a rule is about, how old, and what is done.
 *
 * @param props.rule - the one that is changed; a new one without it
 * @param props.onToPreview - called with a rule that is off until its preview was shown
 */
export const RuleForm = (props: {
  rule: Rule | null;
  onClose: () => void;
  onToPreview: (rule: Rule) => void;
}) => {
  const { rule, onClose } = props;
  const { create, change } = useRules();
  const trashNote = useTrashNote();
  const [subject, setSubject] = useState(() => toSubject(rule));
  const [age, setAge] = useState(rule?.olderThan ?? DEFAULT_AGE);
  const [action, setAction] = useState<RuleAction>(rule?.action ?? 'archive');
  const [label, setLabel] = useState(rule?.label ?? '');
  const present =
    rule !== null && rule.condition.type !== 'sender' && toSubject(rule).classifications.length > 0
      ? rule.condition.minConfidence
      : DEFAULT_CONFIDENCE;
  const [minConfidence, setMinConfidence] = useState(present);

  const isReady =
    subject.senders.length + subject.classifications.length > 0 &&
    (action !== 'label' || label.trim() !== '');
  const save = () => {
    if (!isReady) return;
    const senders = subject.senders.map(({ id }) => id);
    const condition = toCondition({ ...subject, senders }, minConfidence);
    const body = { condition, olderThan: age, action, ...(action === 'label' && { label: label.trim() }) };
    const onSuccess = (saved: Rule) => {
      onClose();
      if (rule === null || rule.enabled) props.onToPreview(saved);
    };
    if (rule === null) create.mutate({ ...body, enabled: false }, { onSuccess });
    else change.mutate({ rule, body: { ...body, ...(rule.enabled && { enabled: false }) } }, { onSuccess });
  };
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <SubjectChoice value={subject} onChange={setSubject} />
      <div className={classes.pair}>
        <label className={classes.field}>
          <span>{t`Action`}</span>
          <Select
            value={action}
            onChange={setAction}
            choices={toActionChoices()}
            data-autofocus={rule === null ? undefined : true}
          />
        </label>
        <label className={classes.field}>
          <span>{t`When`}</span>
          <Select
            value={age}
            onChange={setAge}
            choices={withPresent(AGES, rule?.olderThan ?? DEFAULT_AGE).map((days) => ({
              value: days,
              label: days === 0 ? t`When it arrives` : t`After ${{ age: countDays(days) }}`,
            }))}
          />
        </label>
        {action === 'label' && (
          <label className={classes.field}>
            <span>{t`Label`}</span>
            <input
              className={shapes.textField}
              type="text"
              value={label}
              maxLength={MAX_LABEL_LENGTH}
              required
              autoComplete="off"
              onChange={(event) => setLabel(event.currentTarget.value)}
            />
          </label>
        )}
        {subject.classifications.length > 0 && (
          <label className={classes.field}>
            <span>{t`Confidence`}</span>
            <Select
              value={minConfidence}
              onChange={setMinConfidence}
              choices={withPresent(CONFIDENCES, present).map((confidence) => ({
                value: confidence,
                label: t`At least ${{ share: formatShare(confidence) }}`,
              }))}
            />
          </label>
        )}
      </div>
      {rule?.enabled && (
        <p className={classes.note}>{t`A changed rule is off until you turn it on again.`}</p>
      )}
      {action === 'delete' && <p className={classes.note}>{trashNote}</p>}
      <DialogButtons onCancel={onClose}>
        <Button type="submit" disabled={!isReady} loading={create.isPending || change.isPending}>
          {rule === null ? t`Create rule` : t`Save`}
        </Button>
      </DialogButtons>
    </form>
  );
};

import { t } from '@lingui/core/macro';
import {
  MAX_LABEL_LENGTH,
  MAX_RULE_SUBJECTS,
  MAX_SEARCH_LENGTH,
  type Rule,
  type RuleAction,
  type Sender,
} from '@mailsweep/contracts';
import { Button } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useApi } from '../api/api-context.tsx';
import { SEARCH_PAUSE_MS, sendersQuery } from '../api/senders-query.ts';
import { WhichSelect } from '../cleanup/which-emails.tsx';
import { DialogButtons } from '../controls/dialog.tsx';
import { SegmentedChoice } from '../controls/segmented-choice.tsx';
import { Select } from '../controls/select.tsx';
import { countEmails, formatCount, formatShare } from '../email/counts.ts';
import { toActionChoices } from '../email/email-words.ts';
import { parseSender } from '../email/sender/sender.ts';
import { ErrorState } from '../feedback/error-state.tsx';
import { Skeleton } from '../feedback/skeleton.tsx';
import { useTrashNote } from '../session/use-mailbox.ts';
import shapes from '../shapes.module.css';
import { describeReason } from '../suggestions/suggestion-words.tsx';
import classes from './rule-form.module.css';
import { countDays } from './rule-words.ts';
import { listSubjects, ruleKindsQuery, toCondition } from './rules-query.ts';
import { useRules } from './use-rules.ts';

/** The search finds others. */
const SENDERS_SHOWN = 30;

/** The number of emails is unknown for senders that have none left. */
type ChosenSender = Pick<Sender, 'id' | 'from'> & Partial<Sender>;

/** Senders and kinds of email of a rule. */
interface RuleSubject {
  senders: readonly ChosenSender[];
  classifications: readonly string[];
}

interface SubjectProps {
  value: RuleSubject;
  onChange: (subject: RuleSubject) => void;
}

const Option = (props: { isChosen: boolean; isFull: boolean; onToggle: () => void; children: ReactNode }) => (
  <label className={classes.sender}>
    <input
      type="checkbox"
      checked={props.isChosen}
      disabled={props.isFull && !props.isChosen}
      onChange={props.onToggle}
    />
    {props.children}
  </label>
);

const SenderChoice = ({ value, onChange }: SubjectProps) => {
  const [text, setText] = useState('');
  const [search] = useDebouncedValue(text.trim() || undefined, SEARCH_PAUSE_MS);
  const query = useInfiniteQuery({
    ...sendersQuery(useApi().client, { search }),
    placeholderData: keepPreviousData,
  });
  const found: ChosenSender[] = (query.data?.pages[0]?.data ?? []).slice(0, SENDERS_SHOWN);
  // Chosen ones stay visible; found ones have the number of emails.
  const shown = [...new Map([...value.senders, ...found].map((sender) => [sender.id, sender])).values()];
  const isChosen = ({ id }: ChosenSender) => value.senders.some((sender) => sender.id === id);
  const toggle = (sender: ChosenSender) => {
    const others = value.senders.filter(({ id }) => id !== sender.id);
    onChange({ ...value, senders: isChosen(sender) ? others : [...others, sender] });
  };

  if (query.error && shown.length === 0)
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  if (query.isPending) return <Skeleton height={180} />;
  if (shown.length === 0 && search === undefined)
    return <p className={classes.note}>{t`No sender is known yet. Scan your mailbox first.`}</p>;
  return (
    <>
      <label className={classes.field}>
        <span>{t`Find a sender`}</span>
        <input
          className={shapes.textField}
          type="search"
          value={text}
          maxLength={MAX_SEARCH_LENGTH}
          placeholder={t`Name or address`}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <fieldset className={classes.senders} aria-label={t`Senders`}>
        {shown.map((sender) => {
          const { name, address } = parseSender(sender.from);
          return (
            <Option
              key={sender.id}
              isChosen={isChosen(sender)}
              isFull={value.senders.length >= MAX_RULE_SUBJECTS}
              onToggle={() => toggle(sender)}
            >
              <span className={classes.who}>
                <bdi className={shapes.oneLine}>{name}</bdi>
                {name !== address && <bdi className={`${shapes.oneLine} ${classes.address}`}>{address}</bdi>}
              </span>
              {sender.mails !== undefined && (
                <span className={classes.count}>{countEmails(sender.mails)}</span>
              )}
            </Option>
          );
        })}
        {shown.length === 0 && (
          <p className={classes.note}>{query.isFetching ? t`Searching…` : t`No sender matches.`}</p>
        )}
      </fieldset>
    </>
  );
};

const KindChoice = ({ value, onChange }: SubjectProps) => {
  const kinds = useQuery(ruleKindsQuery(useApi().client));
  if (kinds.error) return <ErrorState error={kinds.error} onRetry={() => void kinds.refetch()} />;
  if (kinds.isPending) return <Skeleton height={64} />;
  if (kinds.data.length === 0)
    return <p className={classes.note}>{t`No kind of email is known yet. Scan your mailbox first.`}</p>;
  const toggle = (key: string) => {
    const others = value.classifications.filter((other) => other !== key);
    const classifications = value.classifications.includes(key) ? others : [...others, key];
    onChange({ ...value, classifications });
  };
  return (
    <fieldset className={classes.senders} aria-label={t`Kinds of email`}>
      {kinds.data.map((key) => (
        <Option
          key={key}
          isChosen={value.classifications.includes(key)}
          isFull={value.classifications.length >= MAX_RULE_SUBJECTS}
          onToggle={() => toggle(key)}
        >
          {describeReason(key).name}
        </Option>
      ))}
    </fieldset>
  );
};

/** Chooses senders and kinds; any of them matches. */
const SubjectChoice = ({ value, onChange }: SubjectProps) => {
  const { senders, classifications } = value;
  const [type, setType] = useState<'senders' | 'kinds'>(
    senders.length === 0 && classifications.length > 0 ? 'kinds' : 'senders',
  );
  const Choice = type === 'senders' ? SenderChoice : KindChoice;
  return (
    <>
      <SegmentedChoice
        name={t`Applies to`}
        value={type}
        onChange={setType}
        choices={[
          { value: 'senders', label: t`Senders: ${formatCount(senders.length)}` },
          { value: 'kinds', label: t`Kinds of email: ${formatCount(classifications.length)}` },
        ]}
      />
      <Choice value={value} onChange={onChange} />
    </>
  );
};

const AGES = [0, 1, 3, 7, 14, 30, 90, 365];
const DEFAULT_AGE = 7;
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
 * @param props.rule - the rule to change; undefined for a new one
 * @param props.onToPreview - receives a rule that stays off until its preview was shown
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
  const [which, setWhich] = useState({
    olderThan: rule?.olderThan ?? DEFAULT_AGE,
    keepNewest: rule?.keepNewest ?? null,
  });
  const [action, setAction] = useState<RuleAction>(rule?.action ?? 'archive');
  const [label, setLabel] = useState(rule?.label ?? '');
  const present =
    rule !== null && rule.condition.type !== 'sender' && toSubject(rule).classifications.length > 0
      ? rule.condition.minConfidence
      : DEFAULT_CONFIDENCE;
  const [minConfidence, setMinConfidence] = useState(present);

  const { olderThan, keepNewest } = which;
  const hasKinds = subject.classifications.length > 0;
  const isReady =
    subject.senders.length + subject.classifications.length > 0 &&
    (keepNewest === null || !hasKinds) &&
    (action !== 'label' || label.trim() !== '');
  const save = () => {
    if (!isReady) return;
    const senders = subject.senders.map(({ id }) => id);
    const condition = toCondition({ ...subject, senders }, minConfidence);
    const body = {
      condition,
      olderThan,
      ...((keepNewest ?? rule?.keepNewest) && { keepNewest }),
      action,
      ...(action === 'label' && { label: label.trim() }),
    };
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
          <WhichSelect
            value={which}
            onChange={setWhich}
            ages={withPresent(AGES, rule?.olderThan ?? DEFAULT_AGE).map((days) => ({
              days,
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
        {hasKinds && (
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
      {keepNewest !== null && (
        <p className={classes.note}>
          {hasKinds
            ? t`“All but the newest” is for senders alone: choose no kinds of email, or another time.`
            : t`The newest of each sender stay until newer ones come.`}
        </p>
      )}
      {olderThan > 0 && <p className={classes.note}>{t`Ages count from when an email was received.`}</p>}
      {action === 'delete' && <p className={classes.note}>{trashNote}</p>}
      <DialogButtons onCancel={onClose}>
        <Button type="submit" disabled={!isReady} loading={create.isPending || change.isPending}>
          {rule === null ? t`Create rule` : t`Save`}
        </Button>
      </DialogButtons>
    </form>
  );
};

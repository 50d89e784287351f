import { t } from '@lingui/core/macro';
import { MAX_RULE_SUBJECTS, MAX_SEARCH_LENGTH, type Sender } from '@mailsweep/contracts';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useApi } from '../api/api-context.tsx';
import { SegmentedChoice } from '../controls/segmented-choice.tsx';
import { countEmails, formatCount } from '../email/counts.ts';
import { parseSender } from '../email/sender/sender.ts';
import { ErrorState } from '../feedback/error-state.tsx';
import { Skeleton } from '../feedback/skeleton.tsx';
import { SEARCH_PAUSE_MS, sendersQuery } from '../queries/senders-query.ts';
import shapes from '../shapes.module.css';
import { describeReason } from '../suggestions/suggestion-words.ts';
import classes from './rule-form.module.css';
import { ruleKindsQuery } from './rules-query.ts';

/** Most senders shown at a time; the search finds the others. */
const SENDERS_SHOWN = 30;

/** A sender of a rule; how many emails it has is not known of one that no longer has any. */
type ChosenSender = Pick<Sender, 'id' | 'from'> & Partial<Sender>;

/** Whose email, and what kinds of email, a rule is about. */
export interface RuleSubject {
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
    ...sendersQuery(useApi().client, 'mails', search),
    placeholderData: keepPreviousData,
  });
  const found: ChosenSender[] = (query.data?.pages[0]?.data ?? []).slice(0, SENDERS_SHOWN);
  // What is chosen stays in sight; what was found knows how many emails there are.
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

/** Chooses what a rule is about: any of the chosen senders, and any of the chosen kinds. */
export const SubjectChoice = ({ value, onChange }: SubjectProps) => {
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

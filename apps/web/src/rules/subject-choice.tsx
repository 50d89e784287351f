import { t } from '@lingui/core/macro';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useId, useState } from 'react';
import { useApi } from '../api/api-context.tsx';
import { SegmentedChoice } from '../controls/segmented-choice.tsx';
import { countEmails } from '../email/counts.ts';
import { parseSender } from '../email/sender/sender.ts';
import { ErrorState } from '../feedback/error-state.tsx';
import { Skeleton } from '../feedback/skeleton.tsx';
import { sendersQuery } from '../queries/senders-query.ts';
import shapes from '../shapes.module.css';
import { describeReason } from '../suggestions/suggestion-words.ts';
import classes from './rule-form.module.css';
import { ruleKindsQuery } from './rules-query.ts';

/** Most senders shown at a time; the search finds the others. */
const SENDERS_SHOWN = 30;

/** Whose email, or what kind of email, a rule is about. */
export type RuleSubject =
  | { type: 'sender'; sender: string }
  | { type: 'classification'; classification: string };

interface SubjectProps {
  value: RuleSubject | null;
  onChange: (subject: RuleSubject | null) => void;
}

const SenderChoice = ({ value, onChange }: SubjectProps) => {
  const { client } = useApi();
  const group = useId();
  const [text, setText] = useState('');
  const query = useInfiniteQuery(sendersQuery(client, 'mails'));
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const { hasNextPage, isFetching, error } = query;
  // A search covers all senders, and the API has no search: load them all.
  useEffect(() => {
    if (words.length > 0 && hasNextPage && !isFetching && !error) void query.fetchNextPage();
  });
  const senders = (query.data?.pages ?? []).flatMap(({ data }) => data);
  const chosenId = value?.type === 'sender' ? value.sender : undefined;
  const matches = ({ from }: { from: string }) => words.every((word) => from.toLowerCase().includes(word));
  const found = [...new Map(senders.map((sender) => [sender.id, sender])).values()].filter(
    (sender) => sender.id === chosenId || matches(sender),
  );

  if (error && senders.length === 0) return <ErrorState error={error} onRetry={() => void query.refetch()} />;
  if (query.isPending) return <Skeleton height={180} />;
  if (senders.length === 0)
    return <p className={classes.note}>{t`No sender is known yet. Scan your mailbox first.`}</p>;
  return (
    <>
      <label className={classes.field}>
        <span>{t`Find a sender`}</span>
        <input
          className={shapes.textField}
          type="search"
          value={text}
          placeholder={t`Name or address`}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <div className={classes.senders} role="radiogroup" aria-label={t`Sender`}>
        {found.slice(0, SENDERS_SHOWN).map(({ id, from, mails }) => {
          const { name, address } = parseSender(from);
          return (
            <label key={id} className={classes.sender}>
              <input
                type="radio"
                name={group}
                checked={id === chosenId}
                onChange={() => onChange({ type: 'sender', sender: id })}
              />
              <span className={classes.who}>
                <bdi className={shapes.oneLine}>{name}</bdi>
                {name !== address && <bdi className={`${shapes.oneLine} ${classes.address}`}>{address}</bdi>}
              </span>
              <span className={classes.count}>{countEmails(mails)}</span>
            </label>
          );
        })}
        {found.length === 0 && (
          <p className={classes.note}>{hasNextPage ? t`Searching…` : t`No sender matches.`}</p>
        )}
      </div>
    </>
  );
};

const KindChoice = ({ value, onChange }: SubjectProps) => {
  const { client } = useApi();
  const kinds = useQuery(ruleKindsQuery(client));
  if (kinds.error) return <ErrorState error={kinds.error} onRetry={() => void kinds.refetch()} />;
  if (kinds.isPending) return <Skeleton height={64} />;
  if (kinds.data.length === 0)
    return <p className={classes.note}>{t`No kind of email is known yet. Scan your mailbox first.`}</p>;
  return (
    <label className={classes.field}>
      <span>{t`Kind of email`}</span>
      <select
        className={shapes.textField}
        value={value?.type === 'classification' ? value.classification : ''}
        onChange={({ currentTarget: { value: classification } }) =>
          onChange(classification === '' ? null : { type: 'classification', classification })
        }
      >
        <option value="">{t`Choose…`}</option>
        {kinds.data.map((key) => (
          <option key={key} value={key}>
            {describeReason(key).name}
          </option>
        ))}
      </select>
    </label>
  );
};

/** Chooses what a new rule is about. */
export const SubjectChoice = ({ value, onChange }: SubjectProps) => {
  const [type, setType] = useState<RuleSubject['type']>('sender');
  const Choice = type === 'sender' ? SenderChoice : KindChoice;
  return (
    <>
      <SegmentedChoice
        name={t`Applies to`}
        value={type}
        onChange={(chosen) => {
          setType(chosen);
          onChange(null);
        }}
        choices={[
          { value: 'sender', label: t`A sender` },
          { value: 'classification', label: t`A kind of email` },
        ]}
      />
      <Choice value={value} onChange={onChange} />
    </>
  );
};

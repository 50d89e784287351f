import { t } from '@lingui/core/macro';
import type { CreateRuleRequest, RuleAction } from '@mailsweep/contracts';
import { Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../api/api-context.tsx';
import { Dialog } from '../controls/dialog.tsx';
import { parseSender } from '../email/sender.ts';
import { ErrorState } from '../feedback/error-state.tsx';
import { Skeleton } from '../feedback/skeleton.tsx';
import { describeReason } from '../suggestions/suggestion-words.ts';
import { countDays } from './rule-words.ts';
import { ruleSubjectsQuery } from './rules-query.ts';
import { useRules } from './use-rules.ts';

const AGES = [0, 1, 3, 7, 14, 30, 90, 365];
const DEFAULT_AGE = 7;
/** Of the classification service, for a kind of email. */
const MIN_CONFIDENCE = 0.9;
/** What a subject is, before its id. */
const SENDER = 'sender:';
const KIND = 'kind:';

const toCondition = (subject: string): CreateRuleRequest['condition'] =>
  subject.startsWith(SENDER)
    ? { type: 'sender', sender: subject.slice(SENDER.length) }
    : {
        type: 'classification',
        classification: subject.slice(KIND.length),
        minConfidence: MIN_CONFIDENCE,
      };

/** Makes a rule: whose email, how old, and what is done. It is on once it is made. */
export const RuleDialog = (props: { isOpen: boolean; onClose: () => void }) => {
  const { isOpen, onClose } = props;
  const { client } = useApi();
  const { create } = useRules();
  const subjects = useQuery({ ...ruleSubjectsQuery(client), enabled: isOpen });
  const [chosen, setSubject] = useState('');
  const [age, setAge] = useState(String(DEFAULT_AGE));
  const [action, setAction] = useState<RuleAction>('archive');
  const [label, setLabel] = useState('');

  const choices = subjects.data && [
    {
      group: t`Senders`,
      items: subjects.data.senders.map(({ id, from }) => ({
        value: SENDER + id,
        label: parseSender(from).name,
      })),
    },
    {
      group: t`Kinds of email`,
      items: subjects.data.classifications.map((key) => ({
        value: KIND + key,
        label: describeReason(key).name,
      })),
    },
  ];
  const subject = chosen || choices?.flatMap(({ items }) => items)[0]?.value;
  const isReady = subject !== undefined && (action !== 'label' || label.trim() !== '');
  const save = () => {
    if (!isReady) return;
    create.mutate(
      {
        condition: toCondition(subject),
        olderThan: Number(age),
        action,
        ...(action === 'label' && { label: label.trim() }),
        enabled: true,
      },
      { onSuccess: onClose },
    );
  };
  return (
    <Dialog opened={isOpen} onClose={onClose} title={t`New rule`} closeLabel={t`Cancel`}>
      {subjects.error && <ErrorState error={subjects.error} onRetry={() => void subjects.refetch()} />}
      {subjects.isPending && <Skeleton height={220} />}
      {choices && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            save();
          }}
        >
          <Stack gap="md">
            <NativeSelect
              label={t`Which email`}
              data={choices}
              value={subject ?? ''}
              onChange={(event) => setSubject(event.currentTarget.value)}
              {...(subject === undefined && {
                description: t`Scan your mailbox first: no sender is known yet.`,
              })}
            />
            <NativeSelect
              label={t`When`}
              data={AGES.map((days) => ({
                value: String(days),
                label: days === 0 ? t`As soon as it is there` : t`After ${{ age: countDays(days) }}`,
              }))}
              value={age}
              onChange={(event) => setAge(event.currentTarget.value)}
            />
            <NativeSelect
              label={t`What is done`}
              data={[
                { value: 'archive', label: t`Archive it` },
                { value: 'delete', label: t`Move it to Trash` },
                { value: 'mark_read', label: t`Mark it read` },
                { value: 'label', label: t`Add a label` },
              ]}
              value={action}
              onChange={(event) => setAction(event.currentTarget.value as RuleAction)}
            />
            {action === 'label' && (
              <TextInput
                label={t`Name of the label`}
                value={label}
                maxLength={100}
                required
                onChange={(event) => setLabel(event.currentTarget.value)}
              />
            )}
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose}>
                {t`Cancel`}
              </Button>
              <Button type="submit" disabled={!isReady} loading={create.isPending}>
                {t`Make the rule`}
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Dialog>
  );
};

import { plural, t } from '@lingui/core/macro';
import type { ComponentProps } from 'react';
import { Select } from '../controls/select.tsx';
import { describeNewest } from './plan/cleanup-words.ts';

/** Emails of a sender: those of an age, all but the newest, or both. */
export interface WhichEmails {
  /** Days; 0 for any age. */
  olderThan: number;
  keepNewest: number | null;
}

const NEWEST = [1, 3, 10];

/** The fields that a selection or a rule has beside the senders. */
export const toBounds = ({ olderThan, keepNewest }: WhichEmails) => ({
  ...(olderThan > 0 && { olderThan }),
  ...(keepNewest !== null && { keepNewest }),
});

const toKey = ({ olderThan, keepNewest }: WhichEmails): string =>
  keepNewest === null ? String(olderThan) : `${olderThan} ${keepNewest}`;

/** Chooses an age, or how many of the newest stay. @param props.ages - with their words; also the present one */
export const WhichSelect = ({
  value,
  ages,
  onChange,
  ...select
}: Omit<ComponentProps<'select'>, 'value' | 'onChange'> & {
  value: WhichEmails;
  ages: readonly { days: number; label: string }[];
  onChange: (which: WhichEmails) => void;
}) => {
  const counts = [...new Set([...NEWEST, value.keepNewest ?? 1])].sort((one, other) => one - other);
  const choices: { label: string; which: WhichEmails }[] = [
    ...ages.map(({ days, label }) => ({ label, which: { olderThan: days, keepNewest: null } })),
    ...counts.map((keepNewest) => ({
      label: plural(keepNewest, { one: 'All but the newest', other: 'All but the newest #' }),
      which: { olderThan: 0, keepNewest },
    })),
  ];
  if (value.olderThan > 0 && value.keepNewest !== null) {
    const age = ages.find(({ days }) => days === value.olderThan)?.label ?? '';
    choices.push({ label: t`${age}, ${{ rest: describeNewest(value.keepNewest) }}`, which: value });
  }
  return (
    <Select
      {...select}
      value={toKey(value)}
      choices={choices.map(({ label, which }) => ({ label, value: toKey(which) }))}
      onChange={(key) => {
        const chosen = choices.find(({ which }) => toKey(which) === key);
        if (chosen) onChange(chosen.which);
      }}
    />
  );
};

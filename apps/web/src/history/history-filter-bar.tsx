import type { ActionSource, RecordedAction } from '@mailsweep/contracts';
import { type Choice, ChoiceChip } from '../controls/choice-chip.tsx';
import { SegmentedChoice } from '../controls/segmented-choice.tsx';
import classes from './history-filter-bar.module.css';
import type { HistoryFilters } from './history-filters.ts';
import { ACTION_WORDS, SOURCE_WORDS } from './history-words.ts';

const ACTION_CHOICES: readonly Choice<RecordedAction>[] = [
  { label: 'Any action', value: undefined },
  ...Object.entries(ACTION_WORDS).map(([value, label]) => ({ label, value: value as RecordedAction })),
];

const SOURCE_CHOICES: readonly { label: string; value: ActionSource | 'any' }[] = [
  { value: 'any', label: 'All' },
  ...Object.entries(SOURCE_WORDS).map(([value, label]) => ({ value: value as ActionSource, label })),
];

/** Which part of the history to show; the address bar holds the choice. */
export const HistoryFilterBar = (props: {
  filters: HistoryFilters;
  onChange: (change: Partial<HistoryFilters>) => void;
}) => {
  const { filters, onChange } = props;
  return (
    <search className={classes.bar}>
      <SegmentedChoice
        name="Source"
        value={filters.source ?? 'any'}
        onChange={(value) => onChange({ source: value === 'any' ? undefined : value })}
        choices={SOURCE_CHOICES}
      />
      <ChoiceChip
        name="Action"
        value={filters.action}
        choices={ACTION_CHOICES}
        onChange={(action) => onChange({ action })}
      />
    </search>
  );
};

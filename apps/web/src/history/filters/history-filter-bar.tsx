import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import type { ActionSource, RecordedAction } from '@mailsweep/contracts';
import { type Choice, ChoiceChip } from '../../controls/choice-chip.tsx';
import { SegmentedChoice } from '../../controls/segmented-choice.tsx';
import shapes from '../../shapes.module.css';
import type { HistoryFilters } from './history-filters.ts';
import { ACTION_WORDS, SOURCE_WORDS } from './history-words.ts';

const toActionChoices = (): readonly Choice<RecordedAction>[] => [
  { label: t`Any action`, value: undefined },
  ...Object.entries(ACTION_WORDS).map(([value, words]) => ({
    label: i18n._(words),
    value: value as RecordedAction,
  })),
];

const toSourceChoices = (): readonly { label: string; value: ActionSource | 'any' }[] => [
  { value: 'any', label: t`All` },
  ...Object.entries(SOURCE_WORDS).map(([value, words]) => ({
    value: value as ActionSource,
    label: i18n._(words),
  })),
];

/** Which part of the history to show; the address bar holds the choice. */
export const HistoryFilterBar = (props: {
  filters: HistoryFilters;
  onChange: (change: Partial<HistoryFilters>) => void;
}) => {
  const { filters, onChange } = props;
  return (
    <search className={shapes.filterBar}>
      <SegmentedChoice
        name={t`Source`}
        value={filters.source ?? 'any'}
        onChange={(value) => onChange({ source: value === 'any' ? undefined : value })}
        choices={toSourceChoices()}
      />
      <ChoiceChip
        name={t`Action`}
        value={filters.action}
        choices={toActionChoices()}
        onChange={(action) => onChange({ action })}
      />
    </search>
  );
};

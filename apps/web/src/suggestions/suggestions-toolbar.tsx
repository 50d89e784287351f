import { Button } from '@mantine/core';
import { IconChecks } from '@tabler/icons-react';
import { type Choice, ChoiceChip } from '../controls/choice-chip.tsx';
import { SegmentedChoice } from '../controls/segmented-choice.tsx';
import { formatCount } from '../email/counts.ts';
import { type SuggestionFilters, toGrouping } from './suggestion-filters.ts';
import classes from './suggestions-toolbar.module.css';

/** Least confidence to choose from. Unit: percent. */
const SURE_CHOICES: readonly Choice<number>[] = [
  { label: 'Any confidence', value: undefined },
  ...[70, 80, 90, 95].map((sure) => ({ label: `At least ${sure}% sure`, value: sure })),
];

const toAcceptLabel = (chosen: number, shown: number): string => {
  if (chosen === 0) return 'Accept all';
  return chosen === shown
    ? `Accept all ${formatCount(shown)}…`
    : `Accept ${formatCount(chosen)} of ${formatCount(shown)}…`;
};

/** How to group, how sure to be, and accept or reject for everything that is left. */
export const SuggestionsToolbar = (props: {
  filters: SuggestionFilters;
  onChange: (change: Partial<SuggestionFilters>) => void;
  /** Emails that are ticked, of those shown. */
  chosen: number;
  shown: number;
  onAcceptAll: () => void;
}) => {
  const { filters, onChange, chosen, shown } = props;
  return (
    <div className={classes.bar}>
      <SegmentedChoice
        name="Group by"
        value={toGrouping(filters)}
        onChange={(value) => onChange({ by: value === 'reason' ? 'reason' : undefined })}
        choices={[
          { value: 'sender', label: 'By sender' },
          { value: 'reason', label: 'By reason' },
        ]}
      />
      <ChoiceChip
        name="Least confidence"
        value={filters.sure}
        choices={SURE_CHOICES}
        onChange={(sure) => onChange({ sure })}
      />
      <Button
        variant="light"
        className={classes.all}
        disabled={chosen === 0}
        leftSection={<IconChecks size={17} aria-hidden="true" />}
        onClick={props.onAcceptAll}
      >
        {toAcceptLabel(chosen, shown)}
      </Button>
    </div>
  );
};

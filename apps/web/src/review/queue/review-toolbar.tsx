import { t } from '@lingui/core/macro';
import type { ListSuggestionGroupsResponse } from '@mailsweep/contracts';
import { Button } from '@mantine/core';
import { IconChecks } from '@tabler/icons-react';
import { SegmentedChoice } from '../../controls/segmented-choice.tsx';
import { formatCount } from '../../email/counts.ts';
import shapes from '../../shapes.module.css';
import type { ReviewFilters, Shown, ShownFilters } from './review-filters.ts';
import classes from './review-toolbar.module.css';

const toChoices = (
  confidence: ListSuggestionGroupsResponse['confidence'] | undefined,
): { label: string; value: Shown }[] => {
  const { sure, likely, check } = confidence ?? { sure: 0, likely: 0, check: 0 };
  const withCount = (label: string, count: number) =>
    confidence ? `${label} (${formatCount(count)})` : label;
  return [
    { value: 'sure', label: withCount(t`Sure`, sure) },
    { value: 'likely', label: withCount(t`+ Likely`, sure + likely) },
    { value: 'everything', label: withCount(t`Everything`, sure + likely + check) },
  ];
};

const toAcceptLabel = (chosen: number, shown: number): string => {
  if (chosen === 0) return t`Accept all`;
  return chosen === shown
    ? t`Accept all ${formatCount(shown)}…`
    : t`Accept ${formatCount(chosen)} of ${formatCount(shown)}…`;
};

/** How to group, how sure to be, and accept for everything that is shown. */
export const ReviewToolbar = (props: {
  filters: ShownFilters;
  onChange: (change: Partial<ReviewFilters>) => void;
  confidence: ListSuggestionGroupsResponse['confidence'] | undefined;
  /** Emails that are ticked, of those shown. */
  chosen: number;
  shown: number;
  onAcceptAll: () => void;
}) => {
  const { filters, onChange, chosen, shown } = props;
  return (
    <div className={`${shapes.filterBar} ${classes.bar}`}>
      <SegmentedChoice
        name={t`How sure`}
        size="small"
        value={filters.show}
        onChange={(show) => onChange({ show })}
        choices={toChoices(props.confidence)}
      />
      <SegmentedChoice
        name={t`Group by`}
        size="small"
        value={filters.by ?? 'sender'}
        onChange={(value) => onChange({ by: value === 'reason' ? 'reason' : undefined })}
        choices={[
          { value: 'sender', label: t`By sender` },
          { value: 'reason', label: t`By reason` },
        ]}
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

import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import type { ListSuggestionGroupsResponse } from '@mailsweep/contracts';
import { Button } from '@mantine/core';
import { IconChecks } from '@tabler/icons-react';
import { SegmentedChoice } from '../../controls/segmented-choice.tsx';
import { formatCount } from '../../email/counts.ts';
import shapes from '../../shapes.module.css';
import type { ReviewFilters, Shown, ShownFilters } from './review-filters.ts';
import classes from './review-toolbar.module.css';

/** Each has the emails of the one before, too; one that would add nothing cannot be chosen. */
const toChoices = (
  confidence: ListSuggestionGroupsResponse['confidence'] | undefined,
  shown: Shown,
): { label: string; value: Shown; isDisabled: boolean }[] => {
  const { sure, likely, check } = confidence ?? { sure: 0, likely: 0, check: 0 };
  const toChoice = (value: Shown, label: string, added: number, count: number) => ({
    value,
    label: count > 0 ? `${label} ${formatCount(count)}` : label,
    isDisabled: confidence !== undefined && added === 0 && value !== shown,
  });
  return [
    toChoice('sure', t`Safe to clean`, sure, sure),
    toChoice('likely', t`Also probable`, likely, sure + likely),
    toChoice('everything', t`All`, check, sure + likely + check),
  ];
};

/** What is shown, in a line. */
const CONTENTS: Record<Shown, MessageDescriptor> = {
  sure: msg`Going by your decisions, you agree with at least 95 of 100 of these.`,
  likely: msg`You will probably agree with at least 75 of 100 of these. A quick look is enough.`,
  everything: msg`Also what Mailsweep is less certain about: please check it before you accept.`,
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
        name={t`Which suggestions`}
        size="small"
        value={filters.show}
        onChange={(show) => onChange({ show })}
        choices={toChoices(props.confidence, filters.show)}
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
      <p className={classes.contents}>{i18n._(CONTENTS[filters.show])}</p>
    </div>
  );
};

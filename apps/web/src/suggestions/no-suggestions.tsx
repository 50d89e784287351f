import { Button } from '@mantine/core';
import { IconSparkles } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { formatCount } from '../email/counts.ts';
import { EmptyState } from '../feedback/empty-state.tsx';
import type { Suggestions } from './use-suggestions.ts';

/** Nothing to decide: what can be done instead. */
export const NoSuggestions = (props: {
  suggestions: Suggestions;
  isFiltered: boolean;
  onClear: () => void;
}) => {
  const { suggestions } = props;
  if (props.isFiltered && suggestions.suggestedCount > 0) {
    return (
      <EmptyState
        icon={<IconSparkles />}
        title="Nothing is that sure"
        actions={<Button onClick={props.onClear}>Show every suggestion</Button>}
      >
        {formatCount(suggestions.suggestedCount)} less sure suggestions are waiting.
      </EmptyState>
    );
  }
  if (suggestions.lookedAtCount === 0 && !suggestions.hasMore) {
    return (
      <EmptyState icon={<IconSparkles />} title="Nothing to suggest">
        Your inbox is empty. Suggestions for new email show up here.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={<IconSparkles />}
      title="Nothing left to decide"
      actions={
        <>
          {suggestions.hasMore && (
            <Button loading={suggestions.isLoadingMore} onClick={suggestions.loadMore}>
              Look at 100 older emails
            </Button>
          )}
          <Button variant="default" component={Link} to="/inbox">
            Go to the inbox
          </Button>
        </>
      }
    >
      The last {formatCount(suggestions.lookedAtCount)} emails need no cleaning.
      {suggestions.hasMore ? ' Further back there may be more to clear.' : ''}
    </EmptyState>
  );
};

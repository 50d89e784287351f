import { Button } from '@mantine/core';
import classes from './more-suggestions.module.css';
import type { Suggestions } from './use-suggestions.ts';

/** The end of the groups: further back, or that this is all. */
export const MoreSuggestions = ({ suggestions }: { suggestions: Suggestions }) => {
  if (suggestions.isLastPageUnclassified) {
    return (
      <p className={classes.more} role="status">
        Older emails could not be classified just now.
        <Button size="compact-sm" variant="light" onClick={suggestions.refresh}>
          Try again
        </Button>
      </p>
    );
  }
  if (!suggestions.hasMore) return <p className={classes.more}>The whole inbox has been looked at.</p>;
  return (
    <p className={classes.more}>
      <Button variant="default" loading={suggestions.isLoadingMore} onClick={suggestions.loadMore}>
        Look at 100 older emails
      </Button>
    </p>
  );
};

import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Skeleton } from '@mantine/core';
import classes from './batch-senders.module.css';
import { ENTRIES_PER_PAGE, type usePages } from './use-pages.ts';

/** The end of a list that is loaded page by page: what is still to come, or why it does not. */
export const PagesEnd = ({ pages }: { pages: ReturnType<typeof usePages<unknown>> }) => (
  <>
    {pages.isPending && (
      <li className={classes.more}>
        <Skeleton height={14} width="60%" aria-label={t`Loading its emails`} />
      </li>
    )}
    {pages.error && (
      <li className={classes.more}>
        <Button size="compact-sm" variant="light" onClick={pages.retry}>
          <Trans>Its emails could not be loaded: try again</Trans>
        </Button>
      </li>
    )}
    {pages.hidden > 0 && (
      <li className={classes.more}>
        <Button size="compact-sm" variant="light" loading={pages.isLoadingMore} onClick={pages.loadMore}>
          <Trans>Show {Math.min(pages.hidden, ENTRIES_PER_PAGE)} more</Trans>
        </Button>
      </li>
    )}
  </>
);

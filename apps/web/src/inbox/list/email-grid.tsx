import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { useMemo } from 'react';
import { RowGrid } from '../../controls/list/row-grid.tsx';
import { formatCount } from '../../email/counts.ts';
import type { Triage } from '../actions/use-triage.ts';
import { countConversations } from './conversations.ts';
import classes from './email-grid.module.css';
import { EmailRow } from './email-row.tsx';
import type { EmailListState } from './use-email-list.ts';

/** Heights of a row. Unit: pixels; the same numbers are in email-row.module.css. */
const ROW_HEIGHT = { wide: 44, narrow: 80 };
/** Early enough to scroll on, late enough not to spend the provider's quota on emails that the user does not look at. */
const PREFETCH_ROWS = 12;

/** The emails as a grid of which only the rows in sight exist. */
export const EmailGrid = (props: {
  list: EmailListState;
  triage: Triage;
  /** Words that filter the loaded emails. */
  find: string | undefined;
  onSearch: (words: string) => void;
  onOpen: (id: string) => void;
}) => {
  const { list, triage, find } = props;
  const { emails } = list;
  const conversations = useMemo(() => countConversations(emails), [emails]);
  return (
    <RowGrid
      name={list.name}
      label={t`Emails`}
      className={classes.scroll}
      rows={emails}
      triage={triage}
      list={list}
      rowHeight={ROW_HEIGHT}
      prefetchRows={PREFETCH_ROWS}
      words={{
        loading: t`Loading more emails…`,
        failed: t`The next emails could not be loaded.`,
        end: t`That is all.`,
      }}
      note={
        find &&
        list.hasMore && (
          <Trans>
            {formatCount(list.emails.length)} of the newest {formatCount(list.loadedCount)} emails say “{find}
            ”.
            <Button size="compact-sm" variant="light" onClick={list.loadMore}>
              Load more
            </Button>
            <Button size="compact-sm" onClick={() => props.onSearch(find.trim())}>
              Search all mail
            </Button>
          </Trans>
        )
      }
      onOpen={(id) => {
        triage.activate(id);
        props.onOpen(id);
      }}
    >
      {(email, place) => (
        <EmailRow
          key={email.id}
          email={email}
          conversationCount={conversations.get(email.threadId ?? '')}
          triage={triage}
          {...place}
        />
      )}
    </RowGrid>
  );
};

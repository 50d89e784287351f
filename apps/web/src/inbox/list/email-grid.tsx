// biome-ignore-all lint/a11y/useSemanticElements: only the rows in sight exist, placed one by one; a table cannot be that
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Loader } from '@mantine/core';
import { useEffect, useMemo } from 'react';
import { toRowClick } from '../../controls/list/row-click.ts';
import { useVirtualRows } from '../../controls/list/use-virtual-rows.ts';
import { formatCount } from '../../email/counts.ts';
import shapes from '../../shapes.module.css';
import type { Triage } from '../actions/use-triage.ts';
import { countConversations } from './conversations.ts';
import classes from './email-grid.module.css';
import { EmailRow } from './email-row.tsx';
import type { EmailListState } from './use-email-list.ts';

/** Heights of a row. Unit: pixels; the same numbers are in email-row.module.css. */
const ROW_HEIGHT = { wide: 44, narrow: 80 };
/** The next page is requested when so many rows are left below the screen: early enough to scroll on, late enough not
 * to spend the provider's quota on emails that the user does not look at. */
const PREFETCH_ROWS = 12;

const ListEnd = (props: {
  list: EmailListState;
  find: string | undefined;
  onSearch: (words: string) => void;
}) => {
  const { list, find } = props;
  if (list.isFetchingNextPage) {
    return (
      <p className={shapes.gridEnd} role="status">
        <Loader size="xs" aria-hidden="true" /> <Trans>Loading more emails…</Trans>
      </p>
    );
  }
  if (list.error) {
    return (
      <p className={shapes.gridEnd} role="alert">
        <Trans>
          The next emails could not be loaded.{' '}
          <Button size="compact-sm" variant="light" onClick={list.fetchNextPage}>
            Try again
          </Button>
        </Trans>
      </p>
    );
  }
  if (find && list.hasNextPage) {
    return (
      <p className={shapes.gridEnd}>
        <Trans>
          {formatCount(list.emails.length)} of the newest {formatCount(list.loadedCount)} emails say “{find}”.
          <Button size="compact-sm" variant="light" onClick={list.fetchNextPage}>
            Load more
          </Button>
          <Button size="compact-sm" onClick={() => props.onSearch(find.trim())}>
            Search all mail
          </Button>
        </Trans>
      </p>
    );
  }
  return list.hasNextPage ? null : (
    <p className={shapes.gridEnd}>
      <Trans>That is all.</Trans>
    </p>
  );
};

/** The emails as a grid of which only the rows in sight exist. */
export const EmailGrid = (props: {
  list: EmailListState;
  triage: Triage;
  /** Words that filter the loaded emails. */
  find: string | undefined;
  onSearch: (words: string) => void;
  onOpen: (id: string) => void;
}) => {
  const { list, triage, find, onOpen } = props;
  const { emails } = list;
  const { activeId, selectedIds, isSelecting } = triage.selection;
  const conversations = useMemo(() => countConversations(emails), [emails]);
  const { scroll, activeIndex, lastRow, totalHeight, inSight } = useVirtualRows({
    name: list.name,
    rows: emails,
    activeId,
    rowHeight: ROW_HEIGHT,
  });

  useEffect(() => {
    if (!find && !list.error && lastRow >= emails.length - PREFETCH_ROWS) list.fetchNextPage();
  });

  const onRowClick = toRowClick(triage, (id) => {
    triage.activate(id);
    onOpen(id);
  });

  return (
    <div ref={scroll} className={`${shapes.scroll} ${classes.scroll}`}>
      <div
        role="grid"
        aria-label={t`Emails`}
        aria-multiselectable="true"
        data-selecting={isSelecting || undefined}
        aria-rowcount={list.hasNextPage ? -1 : emails.length}
        className={shapes.gridRows}
        style={{ height: totalHeight }}
      >
        {inSight.map((row) => {
          const email = emails[row.index];
          return (
            email && (
              <EmailRow
                key={email.id}
                email={email}
                conversationCount={conversations.get(email.threadId ?? '')}
                index={row.index}
                top={row.top}
                isActive={email.id === activeId}
                isTabStop={activeIndex < 0 ? row.index === 0 : row.index === activeIndex}
                isSelected={selectedIds.has(email.id)}
                onClick={onRowClick}
                triage={triage}
              />
            )
          );
        })}
      </div>
      <ListEnd list={list} find={find} onSearch={props.onSearch} />
    </div>
  );
};

import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useElementSize } from '@mantine/hooks';
import { type ReactNode, useEffect } from 'react';
import { useVirtualRows } from '../../controls/list/use-virtual-rows.ts';
import { RetryButton } from '../../controls/retry-button.tsx';
import { Skeleton } from '../../feedback/skeleton.tsx';
import shapes from '../../shapes.module.css';
import type { Review } from '../decisions/use-review.ts';
import { EmailLine } from './email-line.tsx';
import classes from './group-emails.module.css';
import type { GroupEmails as EmailList } from './use-group-emails.ts';
import type { Preview } from './use-preview.ts';

/** Unit: pixels; the same number is in email-line.module.css. */
const ROW_HEIGHT = { wide: 64, narrow: 64 };
/** The next page is requested when so many emails are left below the screen. */
const PREFETCH_ROWS = 20;
const GREY_ROWS = [0, 1, 2, 3];

const ListEnd = ({ list }: { list: EmailList }) => {
  if (list.isPending) {
    return GREY_ROWS.map((row) => (
      <div key={row} className={classes.grey}>
        <Skeleton height={13} width={`${45 + ((row * 17) % 30)}%`} />
      </div>
    ));
  }
  if (!list.error) return null;
  return (
    <p className={classes.end} role="alert">
      {list.emails.length === 0 ? t`The emails could not be loaded.` : t`More emails could not be loaded.`}{' '}
      <RetryButton onClick={list.retry} />
    </p>
  );
};

/** What a group is about, and below it its emails, of which only those in sight exist. */
export const GroupEmails = (props: {
  list: EmailList;
  review: Review;
  preview: Preview;
  showSender: boolean;
  className: string | undefined;
  children: ReactNode;
}) => {
  const { list, review, preview } = props;
  const { emails } = list;
  const isAll = !emails.some(({ id }) => review.unticked.has(id));
  const { ref: head, height } = useElementSize<HTMLDivElement>();
  const { scroll, lastRow, totalHeight, inSight } = useVirtualRows({
    rows: emails,
    activeId: preview.email?.id ?? null,
    rowHeight: ROW_HEIGHT,
    headHeight: { wide: height, narrow: height },
    isHeadScrolled: true,
  });
  useEffect(() => {
    if (list.hasMore && !list.error && lastRow >= emails.length - PREFETCH_ROWS) list.loadMore();
  });
  return (
    <div ref={scroll} className={props.className}>
      <div ref={head}>
        <div className={classes.head}>{props.children}</div>
        <label className={classes.all}>
          <span className={shapes.tick}>
            <input
              type="checkbox"
              checked={isAll}
              // Unticking is for emails that were seen: the list is scrolled to its end first.
              disabled={list.isPending || (isAll && list.hasMore)}
              onChange={() => review.tickAll(emails, !isAll)}
            />
          </span>
          <Trans>Select all</Trans>
        </label>
      </div>
      <ul
        className={`${shapes.virtualList} ${classes.emails}`}
        aria-label={t`Emails of this group`}
        style={{ height: totalHeight }}
      >
        {inSight.map(({ index, top }) => {
          const email = emails[index];
          return (
            email && (
              <li
                key={email.id}
                aria-setsize={list.hasMore ? -1 : emails.length}
                aria-posinset={index + 1}
                style={{ transform: `translateY(${top}px)` }}
              >
                <EmailLine
                  email={email}
                  isChosen={!review.unticked.has(email.id)}
                  isOpen={email.id === preview.email?.id}
                  showSender={props.showSender}
                  review={review}
                  onOpen={() => (email.id === preview.email?.id ? preview.close() : preview.open(email.id))}
                />
              </li>
            )
          );
        })}
      </ul>
      <ListEnd list={list} />
    </div>
  );
};

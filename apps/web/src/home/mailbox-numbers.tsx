import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useApi } from '../api/api-context.tsx';
import { CATEGORIES, CATEGORY_NAMES } from '../email/categories.ts';
import { formatCount } from '../email/counts.ts';
import { Skeleton } from '../feedback/skeleton.tsx';
import { useMailbox } from '../session/use-mailbox.ts';
import shapes from '../shapes.module.css';
import { BlockError } from './block-error.tsx';
import { mailboxQuery } from './home-queries.ts';
import classes from './mailbox-numbers.module.css';

const Total = (props: { count: number | undefined; name: string; unread?: true }) => (
  <Link to="/inbox" search={props.unread ? { unread: true } : {}} className={classes.total}>
    <strong className={classes.count}>
      {props.count === undefined ? <Skeleton height={26} width={72} /> : formatCount(props.count)}
    </strong>{' '}
    <span className={classes.name}>{props.name}</span>
  </Link>
);

/** How much email there is, as the provider counts it. Each number leads to its emails. */
export const MailboxNumbers = () => {
  const query = useQuery(mailboxQuery(useApi().client));
  const known = useMailbox()?.categories ?? CATEGORIES;
  const { data } = query;
  if (query.error && !data) return <BlockError what={t`Your emails were not counted.`} query={query} />;
  if (data?.all === 0) return null;
  // Cleaning moves the numbers of the inbox; of a very large one only those of all mail are known.
  const scope = data && !data.inboxCategories ? 'all' : undefined;
  const counts = data?.inboxCategories ?? data?.categories;
  const byCategory = new Map(counts?.map(({ category, total }) => [category, total]));
  const most = Math.max(1, ...byCategory.values());
  return (
    <section className={`${shapes.card} ${classes.numbers}`} aria-labelledby="numbers-title">
      <h2 id="numbers-title" className={classes.title}>
        <Trans>Your mailbox</Trans>
      </h2>
      <div className={classes.totals}>
        <Total count={data?.inbox.total} name={t`in the inbox`} />
        <Total count={data?.inbox.unread} name={t`unread`} unread />
      </div>
      <h3 id="categories-title" className={classes.subtitle}>
        {scope ? t`All mail by category` : t`Inbox by category`}
      </h3>
      <ul className={shapes.plainList} aria-labelledby="categories-title">
        {CATEGORIES.filter((category) => known.includes(category)).map((category) => {
          const total = byCategory.get(category);
          return (
            <li key={category}>
              <Link to="/inbox" search={{ category, scope }} className={classes.category}>
                <span>{i18n._(CATEGORY_NAMES[category])}</span>{' '}
                <span className={classes.categoryCount}>
                  {total === undefined ? <Skeleton height={12} width={34} /> : formatCount(total)}
                </span>
                <span className={`${shapes.track} ${classes.track}`} aria-hidden="true">
                  {total !== undefined && (
                    <span
                      className={`${shapes.bar} ${classes.bar}`}
                      style={{ inlineSize: `${(total / most) * 100}%` }}
                    />
                  )}
                </span>
              </Link>
            </li>
          );
        })}
      </ul>
    </section>
  );
};

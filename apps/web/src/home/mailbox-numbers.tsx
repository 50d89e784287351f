import { i18n, type MessageDescriptor } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { EmailCategory } from '@mailsweep/contracts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useApi } from '../api/api-context.tsx';
import { CATEGORY_NAMES } from '../email/categories.ts';
import { formatCount } from '../email/counts.ts';
import { Skeleton } from '../feedback/skeleton.tsx';
import shapes from '../shapes.module.css';
import { BlockError } from './block-error.tsx';
import { mailboxQuery } from './home-queries.ts';
import classes from './mailbox-numbers.module.css';

const CATEGORIES = Object.entries(CATEGORY_NAMES) as [EmailCategory, MessageDescriptor][];

interface Numbers {
  total: number;
  unread: number;
}

const Total = (props: { count: number | undefined; name: string; unread?: true }) => (
  <Link to="/inbox" search={props.unread ? { unread: true } : {}} className={classes.total}>
    <strong className={classes.count}>
      {props.count === undefined ? <Skeleton height={26} width={72} /> : formatCount(props.count)}
    </strong>{' '}
    <span className={classes.name}>{props.name}</span>
  </Link>
);

const Category = (props: {
  category: EmailCategory;
  name: string;
  numbers: Numbers | undefined;
  most: number;
}) => {
  const { category, name, numbers, most } = props;
  return (
    <li>
      <Link to="/inbox" search={{ category, scope: 'all' }} className={classes.category}>
        <span>{name}</span>{' '}
        <span className={classes.unread}>
          {numbers && numbers.unread > 0 && t`${formatCount(numbers.unread)} unread`}
        </span>{' '}
        <span className={classes.categoryCount}>
          {numbers ? formatCount(numbers.total) : <Skeleton height={12} width={34} />}
        </span>
        <span className={`${shapes.track} ${classes.track}`} aria-hidden="true">
          {numbers && (
            <span
              className={`${shapes.bar} ${classes.bar}`}
              style={{ inlineSize: `${(numbers.total / most) * 100}%` }}
            />
          )}
        </span>
      </Link>
    </li>
  );
};

/** How much email there is, as Gmail itself counts it. Each number leads to its emails. */
export const MailboxNumbers = () => {
  const { client } = useApi();
  const { data, error, refetch } = useQuery(mailboxQuery(client));
  if (error && !data) {
    return (
      <BlockError what={t`Your emails were not counted.`} error={error} onRetry={() => void refetch()} />
    );
  }
  const byCategory = new Map(data?.categories.map((numbers) => [numbers.category, numbers]));
  const most = Math.max(1, ...[...byCategory.values()].map(({ total }) => total));
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
        <Trans>All mail by category</Trans>
      </h3>
      <ul className={shapes.plainList} aria-labelledby="categories-title">
        {CATEGORIES.map(([category, name]) => (
          <Category
            key={category}
            category={category}
            name={i18n._(name)}
            numbers={byCategory.get(category)}
            most={most}
          />
        ))}
      </ul>
    </section>
  );
};

import { t } from '@lingui/core/macro';
import { listRowClasses } from '../../controls/list/list-row.tsx';
import { RoundSkeleton, Skeleton } from '../../feedback/skeleton.tsx';
import { SlowNotice } from '../../feedback/slow-notice.tsx';
import shapes from '../../shapes.module.css';
import classes from './email-grid.module.css';
import rowClasses from './email-row.module.css';

const ROWS = Array.from({ length: 14 }, (_nothing, index) => index);

/** Grey rows in the places of the emails. */
export const EmailGridSkeleton = () => (
  <div className={`${shapes.scroll} ${classes.scroll}`} role="status" aria-label={t`Loading emails`}>
    <SlowNotice />
    {ROWS.map((row) => (
      <div key={row} className={`${listRowClasses.row} ${rowClasses.row}`} data-skeleton>
        <span className={listRowClasses.mark}>
          <RoundSkeleton size={28} />
        </span>
        <span className={rowClasses.sender}>
          <Skeleton height={12} width={`${55 + ((row * 23) % 40)}%`} />
        </span>
        <span className={rowClasses.words}>
          <Skeleton height={12} width={`${45 + ((row * 31) % 50)}%`} />
        </span>
      </div>
    ))}
  </div>
);

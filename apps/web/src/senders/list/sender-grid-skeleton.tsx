import { t } from '@lingui/core/macro';
import { listRowClasses } from '../../controls/list/list-row.tsx';
import { RoundSkeleton, Skeleton } from '../../feedback/skeleton.tsx';
import barClasses from '../../inbox/filters/filter-bar.module.css';
import shapes from '../../shapes.module.css';
import filterClasses from './sender-filter-bar.module.css';
import classes from './sender-grid.module.css';
import rowClasses from './sender-row.module.css';

const ROWS = Array.from({ length: 12 }, (_nothing, index) => index);

/** Grey fields in the places of the filters. */
export const SenderFilterBarSkeleton = () => (
  <div className={`${shapes.filterBar} ${barClasses.bar}`} aria-hidden="true">
    <div className={barClasses.find}>
      <Skeleton height={34} radius={9} />
    </div>
    <span className={filterClasses.order}>
      <Skeleton height={32} width={118} radius={16} />
    </span>
  </div>
);

/** Grey rows in the places of the senders. */
export const SenderGridSkeleton = () => (
  <div className={`${shapes.scroll} ${classes.scroll}`} role="status" aria-label={t`Loading senders`}>
    <div className={rowClasses.columns} />
    {ROWS.map((row) => (
      <div key={row} className={`${listRowClasses.row} ${rowClasses.row}`} data-skeleton>
        <span className={listRowClasses.mark}>
          <RoundSkeleton size={28} />
        </span>
        <span className={rowClasses.who}>
          <Skeleton height={12} width={`${25 + ((row * 13) % 25)}%`} />
        </span>
        <span className={rowClasses.emails}>
          <Skeleton height={8} width={`${90 - row * 7}%`} />
        </span>
      </div>
    ))}
  </div>
);

import { t } from '@lingui/core/macro';
import { Skeleton } from '../../feedback/skeleton.tsx';
import shapes from '../../shapes.module.css';
import classes from './batch-list.module.css';

const ROWS = Array.from({ length: 7 }, (_nothing, index) => index);

/** Grey entries in the places of the real ones. */
export const HistorySkeleton = () => (
  <div className={shapes.scroll} role="status" aria-label={t`Loading the history`}>
    {ROWS.map((row) => (
      <div key={row} className={classes.skeletonRow}>
        <Skeleton height={36} width={36} radius={10} />
        <Skeleton height={13} width={`${30 + ((row * 13) % 25)}%`} />
      </div>
    ))}
  </div>
);

import { Skeleton } from '@mantine/core';
import { SlowNotice } from '../feedback/slow-notice.tsx';
import detailClasses from './group-detail.module.css';
import listClasses from './group-list.module.css';
import classes from './suggestions-skeleton.module.css';

const GROUPS = Array.from({ length: 6 }, (_nothing, index) => index);

/** Grey groups where the real ones will stand. */
export const SuggestionsSkeleton = () => (
  <div role="status" aria-label="Looking through your mail" className={classes.skeleton}>
    <SlowNotice />
    <div className={listClasses.scroll}>
      {GROUPS.map((group) => (
        <div key={group} className={listClasses.group}>
          <Skeleton circle height={40} />
          <div className={listClasses.words}>
            <Skeleton height={13} width={`${40 + ((group * 17) % 35)}%`} mt={4} />
            <Skeleton height={11} width={`${25 + ((group * 29) % 30)}%`} mt={9} />
            <Skeleton height={24} width={92} mt={11} radius={7} />
          </div>
        </div>
      ))}
    </div>
    <div className={`${detailClasses.detail} ${classes.detail}`}>
      <Skeleton height={20} width={180} mt={4} />
      <Skeleton height={12} width={230} mt={10} mb={22} />
      <Skeleton height={138} radius={14} />
      <Skeleton height={300} radius={14} mt={20} />
    </div>
  </div>
);

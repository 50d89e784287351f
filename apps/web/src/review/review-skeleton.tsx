import { t } from '@lingui/core/macro';
import { RoundSkeleton, Skeleton } from '../feedback/skeleton.tsx';
import { SlowNotice } from '../feedback/slow-notice.tsx';
import shapes from '../shapes.module.css';
import detailClasses from './group/group-detail.module.css';
import emailsClasses from './group/group-emails.module.css';
import listClasses from './queue/group-list.module.css';
import toolbarClasses from './queue/review-toolbar.module.css';
import lineClasses from './queue/whole-mailbox-line.module.css';
import classes from './suggestions-screen.module.css';

const GROUPS = Array.from({ length: 6 }, (_nothing, index) => index);

/** What is above the groups, in its places. */
const ToolbarSkeleton = () => (
  <div className={`${shapes.filterBar} ${toolbarClasses.bar}`}>
    <Skeleton height={33} width={300} radius={8} />
    <Skeleton height={33} width={180} radius={8} />
    <Skeleton height={36} width={152} radius={8} className={toolbarClasses.all} />
  </div>
);

/** Grey groups in the places of the real ones. */
export const GroupsSkeleton = () => (
  <div className={classes.panes}>
    <div className={listClasses.scroll}>
      {GROUPS.map((group) => (
        <div key={group} className={listClasses.group}>
          <RoundSkeleton size={40} />
          <div className={listClasses.words}>
            <Skeleton height={13} width={`${40 + ((group * 17) % 35)}%`} above={4} />
            <Skeleton height={11} width={`${25 + ((group * 29) % 30)}%`} above={9} />
            <Skeleton height={24} width={92} above={11} radius={7} />
          </div>
        </div>
      ))}
    </div>
    <div className={detailClasses.pane}>
      <div className={`${detailClasses.detail} ${emailsClasses.head}`}>
        <Skeleton height={20} width={180} above={4} />
        <Skeleton height={12} width={230} above={10} below={22} />
        <Skeleton height={138} radius={14} />
        <Skeleton height={300} radius={14} above={20} />
      </div>
    </div>
  </div>
);

/** The screen in grey, while the emails are scanned. */
export const SuggestionsSkeleton = () => (
  <div role="status" aria-label={t`Scanning your email`} className={classes.screen}>
    <SlowNotice />
    <ToolbarSkeleton />
    <GroupsSkeleton />
    <p className={lineClasses.line} />
  </div>
);

import { i18n } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import {
  IconActivity,
  IconCommand,
  IconDots,
  IconHistory,
  IconHome,
  IconInbox,
  IconRepeat,
  IconSettings,
  IconSparkles,
  IconUsers,
} from '@tabler/icons-react';
import { Link, useRouterState } from '@tanstack/react-router';
import type { Ref } from 'react';
import { toInitials } from '../../email/sender/sender.ts';
import { SlowNotice } from '../../feedback/skeleton.tsx';
import { useMe } from '../../session/use-mailbox.ts';
import shapes from '../../shapes.module.css';
import classes from './navigation.module.css';

/** The screens in order, with the second key of their `g` shortcut. */
export const SCREENS = [
  { to: '/', name: msg`Home`, key: 'o', icon: IconHome },
  { to: '/inbox', name: msg`Inbox`, key: 'i', icon: IconInbox },
  { to: '/suggestions', name: msg`Suggestions`, key: 's', icon: IconSparkles },
  { to: '/senders', name: msg`Senders`, key: 'e', icon: IconUsers },
  { to: '/history', name: msg`History`, key: 'h', icon: IconHistory },
  { to: '/rules', name: msg`Rules`, key: 'r', icon: IconRepeat },
  { to: '/activity', name: msg`Activity`, key: 'a', icon: IconActivity },
  { to: '/settings', name: msg`Settings`, key: ',', icon: IconSettings },
] as const;

/** Tabs on a phone; the others are behind "More". */
export const TAB_COUNT = 4;

/** Includes a screen that only links and keys lead to. */
export const ALL_SCREENS = [...SCREENS, { to: '/precision', name: msg`Precision`, key: 'p' }] as const;

const Brand = () => (
  <span className={classes.brandHead}>
    <svg width={28} height={28} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="9" fill="#0f766e" />
      <path
        d="M7 11.5 16 18l9-6.500"
        fill="none"
        stroke="#fff"
        strokeWidth="2.6"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <path d="M9 22.500h14" stroke="#8ce0d3" strokeWidth="2.6" strokeLinecap="round" />
    </svg>
    <span className={classes.name}>
      <Trans>Mailsweep</Trans>
    </span>
  </span>
);

/** Whether the keyboard has a Cmd key instead of Ctrl. */
export const isApplePlatform = (): boolean => /Mac|iPhone|iPad/.test(navigator.userAgent);

/** @param props.onMore - opens the other screens on a phone */
const PlaceLinks = ({ onMore }: { onMore: () => void }) => {
  const pathname = useRouterState({ select: ({ location }) => location.pathname });
  const isBehindMore = SCREENS.findIndex(({ to }) => to === pathname) >= TAB_COUNT;
  return (
    <ul className={`${shapes.plainList} ${classes.places}`}>
      {SCREENS.map(({ to, name, icon: Icon }, index) => (
        <li key={to} className={index < TAB_COUNT ? undefined : classes.noTab}>
          <Link
            to={to}
            className={classes.place}
            // Every address begins with the home screen's.
            activeOptions={{ exact: to === '/', includeSearch: false, includeHash: false }}
            activeProps={{ 'data-active': true, 'aria-current': 'page' }}
          >
            <Icon size={20} stroke={1.7} aria-hidden="true" />
            <span className={classes.placeName}>{i18n._(name)}</span>
          </Link>
        </li>
      ))}
      <li className={classes.more}>
        <button
          type="button"
          className={classes.place}
          data-active={isBehindMore || undefined}
          aria-haspopup="dialog"
          onClick={onMore}
        >
          <IconDots size={20} stroke={1.7} aria-hidden="true" />
          <span className={classes.placeName}>
            <Trans>More</Trans>
          </span>
        </button>
      </li>
    </ul>
  );
};

const Account = ({ onOpen }: { onOpen: () => void }) => {
  const { data: me } = useMe();
  return (
    <button type="button" className={classes.account} aria-haspopup="dialog" onClick={onOpen}>
      <span className={classes.accountSign} aria-hidden="true">
        {me ? toInitials(me.name ?? me.email) : ''}
      </span>
      <span className={classes.accountWords}>
        <span className={`${shapes.oneLine} ${classes.accountName}`}>{me?.name ?? ' '}</span>
        <span className={`${shapes.oneLine} ${classes.accountAddress}`}>{me?.email ?? ' '}</span>
      </span>
    </button>
  );
};

/** A sidebar, a rail of icons, or tabs on a phone. */
export const Navigation = (props: {
  onCommand: () => void;
  onMore: () => void;
  onMailboxes: () => void;
  /** For the progress of a scan. */
  statusPlace: Ref<HTMLDivElement>;
}) => (
  <nav aria-label={t`Screens`} className={classes.sidebar}>
    <div className={classes.brand}>
      <Brand />
    </div>
    <button type="button" className={classes.command} onClick={props.onCommand}>
      <IconCommand size={18} stroke={1.7} aria-hidden="true" />
      <span className={classes.placeName}>
        <Trans>Commands</Trans>
      </span>
      <span className={classes.commandKey} aria-hidden="true">
        <kbd>{isApplePlatform() ? '⌘K' : t`Ctrl K`}</kbd>
      </span>
    </button>
    <div className={classes.nav}>
      <PlaceLinks onMore={props.onMore} />
    </div>
    <div ref={props.statusPlace} />
    <Account onOpen={props.onMailboxes} />
  </nav>
);

/** The empty frame until the user is known. */
export const ShellSkeleton = () => (
  <div className={classes.frame} role="status" aria-label={t`Loading Mailsweep`}>
    <div className={classes.skeletonSidebar}>
      <Brand />
    </div>
    <div className={classes.surface} />
    <SlowNotice />
  </div>
);

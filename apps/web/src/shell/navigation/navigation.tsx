import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { IconCommand, IconDots } from '@tabler/icons-react';
import { Link, useRouterState } from '@tanstack/react-router';
import type { Ref } from 'react';
import { toInitials } from '../../email/sender/sender.ts';
import { useMe } from '../../session/me-query.ts';
import shapes from '../../shapes.module.css';
import { Brand } from './brand.tsx';
import classes from './navigation.module.css';
import { isApplePlatform } from './platform.ts';
import { SCREENS, TAB_COUNT } from './screens.ts';

/** @param props.onMore - opens the places that are no tabs on a phone */
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
            // Every address begins with that of the home screen.
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

const Account = () => {
  const { data: me } = useMe();
  return (
    <Link to="/settings" className={classes.account}>
      <span className={classes.accountSign} aria-hidden="true">
        {me ? toInitials(me.name ?? me.email) : ''}
      </span>
      <span className={classes.accountWords}>
        <span className={`${shapes.oneLine} ${classes.accountName}`}>{me?.name ?? ' '}</span>
        <span className={`${shapes.oneLine} ${classes.accountAddress}`}>{me?.email ?? ' '}</span>
      </span>
    </Link>
  );
};

/** The way between the screens: a sidebar, a rail of signs, or tabs at the foot of a phone. */
export const Navigation = (props: {
  onCommand: () => void;
  onMore: () => void;
  /** Takes the place for the progress of a scan. */
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
    <Account />
  </nav>
);

import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { IconCommand, IconMailbox } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { Dialog } from '../../controls/dialog.tsx';
import shapes from '../../shapes.module.css';
import classes from './navigation.module.css';
import { SCREENS, TAB_COUNT } from './navigation.tsx';

/** Screens that are no tabs on a phone, the mailboxes, and the commands. */
export const MorePlaces = (props: {
  onClose: () => void;
  onCommand: () => void;
  onMailboxes: () => void;
}) => (
  <Dialog onClose={props.onClose} title={t`More`} closeLabel={t`Close`}>
    <nav aria-label={t`More screens`}>
      <ul className={`${shapes.plainList} ${classes.morePlaces}`}>
        {SCREENS.slice(TAB_COUNT).map(({ to, name, icon: Icon }) => (
          <li key={to}>
            <Link
              to={to}
              className={classes.morePlace}
              activeProps={{ 'data-active': true, 'aria-current': 'page' }}
              onClick={props.onClose}
            >
              <Icon size={20} stroke={1.7} aria-hidden="true" />
              {i18n._(name)}
            </Link>
          </li>
        ))}
        <li>
          <button type="button" className={classes.morePlace} onClick={props.onMailboxes}>
            <IconMailbox size={20} stroke={1.7} aria-hidden="true" />
            <Trans context="accounts">Mailboxes</Trans>
          </button>
        </li>
        <li>
          <button type="button" className={classes.morePlace} onClick={props.onCommand}>
            <IconCommand size={20} stroke={1.7} aria-hidden="true" />
            <Trans>Commands</Trans>
          </button>
        </li>
      </ul>
    </nav>
  </Dialog>
);

import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { IconCheck, IconPlus, IconSettings } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { toAddress } from '../address/shown-mailbox.ts';
import { Dialog } from '../controls/dialog.tsx';
import { toInitials } from '../email/sender/sender.ts';
import { toMailboxName, useAddMailbox, useOwnMailboxes } from '../mailboxes/own-mailboxes.ts';
import shapes from '../shapes.module.css';
import classes from './navigation/navigation.module.css';

/** Leads to the other mailboxes, and adds one. */
export const MailboxSwitcher = ({ onClose }: { onClose: () => void }) => {
  const mailboxes = useOwnMailboxes();
  const add = useAddMailbox();
  return (
    <Dialog onClose={onClose} title={t({ message: 'Mailboxes', context: 'accounts' })} closeLabel={t`Close`}>
      <ul className={`${shapes.plainList} ${classes.morePlaces}`}>
        {mailboxes.length > 1 &&
          mailboxes.map((mailbox) => (
            <li key={mailbox.number}>
              <a
                href={toAddress('/', mailbox.number)}
                className={classes.morePlace}
                data-active={mailbox.current || undefined}
                aria-current={mailbox.current || undefined}
              >
                <span className={classes.accountSign} aria-hidden="true">
                  {toInitials(toMailboxName(mailbox))}
                </span>
                <span className={classes.mailboxWords}>
                  <bdi className={shapes.oneLine}>{toMailboxName(mailbox)}</bdi>{' '}
                  <bdi className={`${shapes.oneLine} ${classes.accountAddress}`}>
                    {[mailbox.name && mailbox.email, mailbox.provider.name].filter(Boolean).join(' · ')}
                  </bdi>
                </span>
                {mailbox.current && <IconCheck size={18} aria-hidden="true" />}
              </a>
            </li>
          ))}
        <li>
          <button type="button" className={classes.morePlace} onClick={() => add.mutate()}>
            <IconPlus size={20} stroke={1.7} aria-hidden="true" />
            <Trans>Add a mailbox</Trans>
          </button>
        </li>
        <li>
          <Link to="/settings" className={classes.morePlace} onClick={onClose}>
            <IconSettings size={20} stroke={1.7} aria-hidden="true" />
            <Trans>Settings</Trans>
          </Link>
        </li>
      </ul>
    </Dialog>
  );
};

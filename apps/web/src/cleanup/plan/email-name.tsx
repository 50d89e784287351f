import { t } from '@lingui/core/macro';
import { parseSender } from '../../email/sender/sender.ts';
import shapes from '../../shapes.module.css';
import classes from './email-name.module.css';

/** Sender and subject of an email, side by side; undefined while they are not known. */
export const EmailName = ({ email }: { email: { from: string; subject: string } | null | undefined }) => (
  <>
    <bdi className={`${shapes.oneLine} ${classes.sender}`}>{email ? parseSender(email.from).name : '…'}</bdi>
    <bdi className={`${shapes.oneLine} ${classes.subject}`}>{email?.subject.trim() || t`(no subject)`}</bdi>
  </>
);

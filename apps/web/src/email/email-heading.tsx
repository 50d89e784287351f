import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { IconExternalLink } from '@tabler/icons-react';
import classes from './email-heading.module.css';
import { toGmailUrl } from './provider-link.ts';

/**
 * Subject and snippet of an email, and the way to it in Gmail.
 *
 * @param props.account - the user's address; without it there is no link
 */
export const EmailHeading = (props: {
  email: { id: string; subject: string; snippet: string };
  account: string | undefined;
}) => {
  const { email, account } = props;
  return (
    <>
      <h2 className={classes.subject}>
        <bdi>{email.subject.trim() || t`(no subject)`}</bdi>
      </h2>
      <p className={classes.snippet}>
        <bdi>{email.snippet || t`No preview.`}</bdi>
      </p>
      {account !== undefined && (
        <a className={classes.link} href={toGmailUrl(email.id, account)} target="_blank" rel="noreferrer">
          <Trans>Read it in Gmail</Trans> <IconExternalLink size={15} aria-hidden="true" />
        </a>
      )}
    </>
  );
};

import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { Email } from '@mailsweep/contracts';
import { IconExternalLink, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useEmailLink } from '../session/use-mailbox.ts';
import shapes from '../shapes.module.css';
import classes from './email-pane.module.css';
import { parseSender } from './sender/sender.ts';
import { SenderAvatar } from './sender/sender-avatar.tsx';
import { SenderButton } from './sender/sender-button.tsx';

/** An email in a pane beside a list that stays usable, with a link to the mail provider. */
export const EmailPane = (props: {
  /** For screen readers. */
  label: string;
  email: Pick<Email, 'id' | 'from' | 'isSenderUnclear' | 'subject' | 'snippet'>;
  closeLabel: string;
  onClose: () => void;
  className: string | undefined;
  children: ReactNode;
}) => {
  const { id, from, subject, snippet } = props.email;
  const link = useEmailLink();
  const { name, address } = parseSender(from);
  return (
    <aside className={`${classes.pane} ${props.className}`} aria-label={props.label}>
      <div className={classes.head}>
        <SenderAvatar from={from} size="lg" />
        <div className={classes.sender}>
          <p className={`${shapes.oneLine} ${classes.name}`}>
            {props.email.isSenderUnclear ? (
              <bdi>{name}</bdi>
            ) : (
              <SenderButton sender={{ from, emailId: id }} name={name}>
                <bdi>{name}</bdi>
              </SenderButton>
            )}
          </p>
          {address !== name && <bdi className={`${shapes.oneLine} ${classes.address}`}>{address}</bdi>}
        </div>
        <button
          type="button"
          className={`${shapes.iconButton} ${classes.close}`}
          onClick={props.onClose}
          aria-label={props.closeLabel}
        >
          <IconX size={18} aria-hidden="true" />
        </button>
      </div>
      <h2 className={classes.subject}>
        <bdi>{subject.trim() || t`(no subject)`}</bdi>
      </h2>
      <p className={classes.snippet}>
        <bdi>{snippet || t`No preview.`}</bdi>
      </p>
      {link && (
        <a className={classes.link} href={link.toUrl(id)} target="_blank" rel="noreferrer">
          <Trans>Read it in {link.name}</Trans> <IconExternalLink size={15} aria-hidden="true" />
        </a>
      )}
      {props.children}
    </aside>
  );
};

export const EmailFacts = (props: {
  facts: ([name: string, value: string] | false | undefined)[];
  className: string | undefined;
}) => (
  <dl className={`${classes.facts} ${props.className}`}>
    {props.facts
      .filter((fact) => !!fact)
      .map(([name, value]) => [<dt key={name}>{name}</dt>, <dd key={`${name} value`}>{value}</dd>])}
  </dl>
);

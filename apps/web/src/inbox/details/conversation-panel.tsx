import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { Email } from '@mailsweep/contracts';
import { Button } from '@mantine/core';
import { IconMessages } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useShortcuts } from '../../keyboard/keyboard-context.tsx';
import { inGroup } from '../../keyboard/shortcut.ts';
import type { Triage } from '../actions/use-triage.ts';
import { ConversationEmails } from './conversation-emails.tsx';
import classes from './conversation-panel.module.css';

const toHint = (othersListed: number): string => {
  const rule = t`A conversation stays in the inbox as long as one of its emails is there.`;
  if (othersListed === 0) return rule;
  const listed = plural(othersListed, {
    one: '# more email of this conversation is on the list.',
    other: '# more emails of this conversation are on the list.',
  });
  return `${listed} ${rule}`;
};

/**
 * Offers the whole conversation of an email. It costs the provider's quota, so it is read when the user asks for it.
 *
 * @param props.othersListed - emails of it that are on the list and in the inbox, besides this one
 */
export const ConversationPanel = (props: {
  email: Email;
  threadId: string;
  othersListed: number;
  triage: Pick<Triage, 'request'>;
}) => {
  const { email, threadId, othersListed, triage } = props;
  const [isAskedFor, setAskedFor] = useState(false);
  const section = useRef<HTMLElement>(null);
  useShortcuts(inGroup('Select', [[['c'], t`Show the whole conversation`, () => setAskedFor(true)]]));
  return (
    <section ref={section} className={classes.panel} aria-label={t`Conversation`} tabIndex={-1}>
      <h3 className={classes.title}>
        <Trans>Conversation</Trans>
      </h3>
      <p className={classes.hint}>{toHint(isAskedFor ? 0 : othersListed)}</p>
      {isAskedFor ? (
        <ConversationEmails
          email={email}
          threadId={threadId}
          onAction={(action, emails) => {
            setAskedFor(false);
            triage.request(action, emails);
          }}
        />
      ) : (
        <Button
          variant="default"
          leftSection={<IconMessages size={16} aria-hidden="true" />}
          onClick={() => {
            // The button goes away; the focus stays where its result appears.
            section.current?.focus();
            setAskedFor(true);
          }}
        >
          <Trans>Show the whole conversation</Trans>
        </Button>
      )}
    </section>
  );
};

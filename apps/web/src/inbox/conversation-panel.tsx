import type { Email } from '@mailsweep/contracts';
import { Button } from '@mantine/core';
import { IconMessages } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { formatCount } from '../email/counts.ts';
import { useShortcuts } from '../keyboard/keyboard-context.tsx';
import { ConversationEmails } from './conversation-emails.tsx';
import classes from './conversation-panel.module.css';
import type { Triage } from './use-triage.ts';

const toHint = (othersListed: number): string => {
  const rule = 'Gmail keeps a conversation in the inbox as long as one of its emails is there.';
  if (othersListed === 0) return rule;
  return `${formatCount(othersListed)} more ${othersListed === 1 ? 'email' : 'emails'} of this conversation ${othersListed === 1 ? 'is' : 'are'} on the list. ${rule}`;
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
  useShortcuts([
    {
      keys: ['c'],
      label: 'Show the whole conversation',
      group: 'Select',
      run: () => setAskedFor(true),
    },
  ]);
  return (
    <section ref={section} className={classes.panel} aria-label="Conversation" tabIndex={-1}>
      <h3 className={classes.title}>Conversation</h3>
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
          Show the whole conversation
        </Button>
      )}
    </section>
  );
};

import { i18n } from '@lingui/core';
import type { InboxAction } from '@mailsweep/contracts';
import { Button } from '@mantine/core';
import { EMAIL_ACTIONS, toOffered, toReadChange } from '../../email/email-actions.ts';

/** The buttons of what can be done with some emails. @param props.words - on them, in place of the names of the actions */
export const EmailButtons = (props: {
  emails: readonly { isRead: boolean }[];
  words?: Record<InboxAction, string>;
  onAction: (action: InboxAction) => void;
}) =>
  toOffered(toReadChange(props.emails)).map((action) => {
    const { name, icon: Icon } = EMAIL_ACTIONS[action];
    return (
      <Button
        key={action}
        variant={action === 'archive' ? 'light' : 'default'}
        leftSection={<Icon size={16} />}
        onClick={() => props.onAction(action)}
      >
        {props.words?.[action] ?? i18n._(name)}
      </Button>
    );
  });

import { i18n } from '@lingui/core';
import type { InboxAction } from '@mailsweep/contracts';
import { Button } from '@mantine/core';
import { KeyCap } from '../controls/list/selection-toolbar.tsx';
import { EMAIL_ACTIONS, type ReadChange, toOffered } from './email-actions.ts';

export const EmailActionButtons = (props: {
  readChange: ReadChange;
  isDisabled: boolean;
  onRequest: (action: InboxAction) => void;
}) =>
  toOffered(props.readChange).map((action) => {
    const { name, keyCap, icon: Icon } = EMAIL_ACTIONS[action];
    return (
      <Button
        key={action}
        variant="subtle"
        disabled={props.isDisabled}
        leftSection={<Icon size={17} aria-hidden="true" />}
        onClick={() => props.onRequest(action)}
      >
        {i18n._(name)} <KeyCap>{keyCap}</KeyCap>
      </Button>
    );
  });

import { Button, Group } from '@mantine/core';
import { Dialog } from '../controls/dialog.tsx';
import { useSignIn } from '../session/use-sign-in.ts';
import classes from './recent-sign-in-dialog.module.css';
import type { SensitiveAction } from './settings-search.ts';

const PURPOSES: Record<SensitiveAction, string> = {
  export: 'Downloading all your data',
  erase: 'Deleting all your data',
};

/** Says that an action needs a new sign-in, and leads there and back to it. */
export const RecentSignInDialog = (props: {
  action: SensitiveAction;
  isOpen: boolean;
  onClose: () => void;
}) => {
  const signIn = useSignIn(`/settings?continue=${props.action}`);
  return (
    <Dialog
      opened={props.isOpen}
      onClose={props.onClose}
      title="Sign in again to continue"
      closeLabel="Cancel"
    >
      <p className={classes.what}>
        {PURPOSES[props.action]} needs a recent sign-in, so that nobody else can do it in a browser you left
        open. Sign in with Google and you are back here to continue.
      </p>
      <Group justify="flex-end">
        <Button variant="default" onClick={props.onClose}>
          Cancel
        </Button>
        <Button onClick={signIn} data-autofocus>
          Sign in again
        </Button>
      </Group>
    </Dialog>
  );
};

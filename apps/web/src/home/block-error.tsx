import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { describeError } from '../api/describe-error.ts';
import classes from './block-error.module.css';

/** In place of one block of the screen; the others stay. */
export const BlockError = (props: { what: string; error: unknown; onRetry: () => void }) => {
  const { title, advice } = describeError(props.error);
  return (
    <div className={classes.error} role="alert">
      <p className={classes.words}>
        <strong>{props.what}</strong> {title}. {advice}
      </p>
      <Button size="compact-sm" variant="light" onClick={props.onRetry}>
        <Trans>Try again</Trans>
      </Button>
    </div>
  );
};

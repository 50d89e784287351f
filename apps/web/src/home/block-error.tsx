import { describeError } from '../api/describe-error.ts';
import { RetryButton } from '../controls/retry-button.tsx';
import classes from './block-error.module.css';

/** In place of one block of the screen; the others stay. */
export const BlockError = (props: {
  what: string;
  query: { error: unknown; refetch: () => Promise<unknown> };
}) => {
  const { title, advice } = describeError(props.query.error);
  return (
    <div className={classes.error} role="alert">
      <p className={classes.words}>
        <strong>{props.what}</strong> {title}. {advice}
      </p>
      <RetryButton onClick={() => void props.query.refetch()} />
    </div>
  );
};

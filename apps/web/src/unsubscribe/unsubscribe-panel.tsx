import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { Unsubscribe } from '@mailsweep/contracts';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../api/api-context.tsx';
import { Timestamp } from '../time/timestamp.tsx';
import classes from './unsubscribe.module.css';
import { UnsubscribeLinks } from './unsubscribe-links.tsx';
import { unsubscribeQuery } from './unsubscribe-query.ts';
import { describeState, describeUnsubscribeError } from './unsubscribe-words.ts';
import type { UnsubscribableSender } from './use-unsubscribe.ts';

const Explanation = ({ unsubscribe }: { unsubscribe: Unsubscribe }) => {
  const { state, error } = unsubscribe;
  if (state === 'still_sending') {
    return <Trans>This sender agreed to stop, and sent email more than ten days later.</Trans>;
  }
  if (state === 'manual') return <Trans>Mailsweep cannot do it for you:</Trans>;
  if (state === 'requested') return <Trans>Mailsweep asks the sender to stop.</Trans>;
  if (state === 'accepted') {
    return (
      <Trans>
        The sender accepted it <Timestamp value={unsubscribe.at ?? ''} style="ago" />.
      </Trans>
    );
  }
  return error === null ? null : describeUnsubscribeError(error);
};

/** What became of unsubscribing from the open sender, or the way to it. */
export const UnsubscribePanel = (props: {
  sender: { id: string; from: string };
  /** As the list has it, until the response is here. */
  known?: Unsubscribe | null | undefined;
  onAsk: (sender: UnsubscribableSender) => void;
}) => {
  const { sender, onAsk } = props;
  const { data: unsubscribe } = useQuery({
    ...unsubscribeQuery(useApi().client, sender.id),
    placeholderData: props.known ?? undefined,
  });
  // Senders that offer nothing are mostly private: the panel would only take space.
  if (!unsubscribe || (unsubscribe.method === null && unsubscribe.state === null)) return null;
  const { state, method } = unsubscribe;
  const ask = () => onAsk({ ...sender, unsubscribe });
  if (state === null) {
    return (
      <Button variant="default" size="compact-md" onClick={ask}>
        {method === 'manual' ? t`How to unsubscribe…` : t`Unsubscribe…`}
      </Button>
    );
  }
  const isOver = state === 'refused' || state === 'still_sending';
  return (
    <section className={classes.panel} aria-label={t`Unsubscribe`}>
      <p className={classes.state} role="status">
        {describeState(state, unsubscribe.error)}
      </p>
      <p className={classes.note}>
        <Explanation unsubscribe={unsubscribe} />
      </p>
      {(isOver || state === 'manual') && <UnsubscribeLinks unsubscribe={unsubscribe} />}
      {isOver && method === 'one_click' && (
        <span>
          <Button variant="default" size="compact-sm" onClick={ask}>
            <Trans>Try again…</Trans>
          </Button>
        </span>
      )}
    </section>
  );
};

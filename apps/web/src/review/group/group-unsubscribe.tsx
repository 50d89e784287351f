import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../api/api-context.tsx';
import { UnsubscribeDialog } from '../../unsubscribe/unsubscribe-dialog.tsx';
import { unsubscribeQuery } from '../../unsubscribe/unsubscribe-query.ts';
import { canUnsubscribe } from '../../unsubscribe/unsubscribe-words.ts';
import { useUnsubscribe } from '../../unsubscribe/use-unsubscribe.ts';

/** Unsubscribes from the sender of a group, and decides about the group in the same step. */
export const GroupUnsubscribe = (props: {
  sender: { id: string; from: string };
  /** What is done to the emails of the group, such as `Archive 12`. */
  decision: string;
  isDisabled: boolean;
  onYes: () => void;
}) => {
  const { sender, decision, onYes } = props;
  const unsubscribing = useUnsubscribe();
  const { data: unsubscribe } = useQuery(unsubscribeQuery(useApi().client, sender.id));
  if (!unsubscribe || !canUnsubscribe(unsubscribe)) return null;
  const words = t`${{ decision }} and unsubscribe…`;
  return (
    <>
      <Button
        variant="default"
        size="compact-md"
        title={words}
        disabled={props.isDisabled}
        style={{ minWidth: 0 }}
        onClick={() => unsubscribing.ask({ senders: [{ ...sender, unsubscribe }], archives: 0, onYes })}
      >
        {words}
      </Button>
      <UnsubscribeDialog unsubscribing={unsubscribing} />
    </>
  );
};

import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../api/api-context.tsx';
import shapes from '../../shapes.module.css';
import { UnsubscribeDialog } from '../../unsubscribe/unsubscribe-dialog.tsx';
import { canUnsubscribe } from '../../unsubscribe/unsubscribe-words.ts';
import { unsubscribeQuery, useUnsubscribe } from '../../unsubscribe/use-unsubscribe.ts';

/** Unsubscribes from a group's sender, and decides about the group. */
export const GroupUnsubscribe = (props: {
  sender: { id: string; from: string };
  /** Such as `Archive 12`. */
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
        className={shapes.longButton}
        disabled={props.isDisabled}
        onClick={() => unsubscribing.ask({ senders: [{ ...sender, unsubscribe }], archives: 0, onYes })}
      >
        {words}
      </Button>
      <UnsubscribeDialog unsubscribing={unsubscribing} />
    </>
  );
};

import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../api/api-context.tsx';
import { HISTORY_KEY } from '../../api/query-keys.ts';
import { Dialog, DialogButtons } from '../../controls/dialog.tsx';
import { ErrorState } from '../../feedback/error-state.tsx';
import { Skeleton } from '../../feedback/skeleton.tsx';
import { Timestamp } from '../../time/format-time.tsx';
import { describeBatch, SenderNames } from '../filters/history-words.tsx';
import classes from './undo-offer.module.css';
import { useUndoHistory } from './use-undo-history.ts';

/** Names the newest action that can be undone, from any device, and undoes it after confirmation. */
export const UndoOffer = ({ onClose }: { onClose: () => void }) => {
  const { client } = useApi();
  const { undoBatches } = useUndoHistory();
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [...HISTORY_KEY, 'next-undo'],
    queryFn: async ({ signal }) =>
      (await client.listActionBatches({ query: { undoable: true, page: 1, perPage: 1 }, signal })).data,
    // Undo exactly what was named.
    gcTime: 0,
  });
  const batch = isFetching ? undefined : data?.[0];
  return (
    <Dialog onClose={onClose} title={t`Undo the last action?`}>
      {error && !isFetching && <ErrorState error={error} onRetry={() => void refetch()} />}
      {isFetching && <Skeleton height={44} />}
      {batch && (
        <p className={classes.action}>
          <strong>{describeBatch(batch)}</strong>, <Timestamp value={batch.startedAt} style="ago" />
          <br />
          <SenderNames batch={batch} />
        </p>
      )}
      {!isFetching && data?.length === 0 && (
        <p className={classes.action}>
          <Trans>Nothing is left to undo.</Trans>
        </p>
      )}
      <DialogButtons onCancel={onClose} hasFocus>
        {batch && (
          <Button
            onClick={() => {
              onClose();
              undoBatches([batch]);
            }}
          >
            <Trans>Undo</Trans>
          </Button>
        )}
      </DialogButtons>
    </Dialog>
  );
};

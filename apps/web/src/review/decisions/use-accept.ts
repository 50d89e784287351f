import type { Cleanup, CreateCleanupRequest } from '@mailsweep/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { usePlannedCleanup } from '../../cleanup/use-planned-cleanup.ts';
import { toGroupFilter } from '../../queries/suggestions-query.ts';
import { beginDecision, type DecidedGroup } from '../../suggestions/confirming/decisions.ts';
import type { OtherAction } from '../../suggestions/confirming/other-action.ts';

/** A group, or everything shown, to be accepted. */
export interface Acceptance extends DecidedGroup {
  /** Emails that the screen shows as chosen. */
  count: number;
  /** How many of them go to the trash. */
  trashed: number;
  /** What is done instead of what is suggested. */
  other?: OtherAction | undefined;
  /** Called when the server has stopped. */
  onDone?: (done: Cleanup) => void;
  /** Called when the user takes it back. */
  onUndo?: () => void;
}

const toRequest = ({ group, minAcceptance, leftOut, other }: Acceptance): CreateCleanupRequest => ({
  action: other?.action ?? 'accept',
  ...(other?.action === 'label' && { label: other.label.trim() }),
  selection: {
    type: 'suggestions',
    ...(group && toGroupFilter(group)),
    ...(minAcceptance > 0 && { minAcceptance }),
    except: leftOut.map(({ id }) => id),
  },
});

/**
 * Accepts suggestions as a cleanup. Everything shown, whatever moves email to the trash, and plans that differ from what
 * was shown wait for a yes.
 *
 * @param onDecided - called once a decision is made, so that another group may take its place
 */
export const useAccept = (onDecided: (acceptance: Acceptance) => void) => {
  const queryClient = useQueryClient();
  const { start, ...planned } = usePlannedCleanup();
  return {
    ...planned,
    accept: (acceptance: Acceptance) =>
      start({
        request: toRequest(acceptance),
        count: acceptance.count,
        asksFirst: acceptance.group === null || acceptance.trashed > 0,
        // Emails may have been unticked in the plan.
        onDecided: (plan) => onDecided({ ...acceptance, count: plan?.total ?? acceptance.count }),
        onStart: () => {
          const endDecision = beginDecision(queryClient, acceptance);
          return (done) => {
            endDecision();
            if (done) acceptance.onDone?.(done);
          };
        },
        ...(acceptance.onUndo && { onUndo: acceptance.onUndo }),
      }),
  };
};

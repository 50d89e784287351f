import { t } from '@lingui/core/macro';
import type { CleanupPlan, CreateRuleRequest, Rule, UpdateRuleRequest } from '@mailsweep/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useApi } from '../api/api-context.tsx';
import { refreshAfterCleanup } from '../cleanup/cleanup-query.ts';
import { useRunCleanup } from '../cleanup/use-planned-cleanup.ts';
import { countEmails } from '../email/counts.ts';
import { hideToast, sayUnchanged, showToast, type ToastContent, updateToast } from '../feedback/toasts.tsx';
import { describeUndoing } from './rule-words.ts';
import { FOLLOW_INTERVAL_MS, listSubjects, rulesQuery, toCondition } from './rules-query.ts';

const toRequest = (rule: Rule): CreateRuleRequest => {
  const { olderThan, keepNewest, action, label, enabled } = rule;
  const { senders, classifications } = listSubjects(rule);
  const minConfidence = rule.condition.type === 'sender' ? 1 : rule.condition.minConfidence;
  return {
    condition: toCondition({ senders: senders.map(({ sender }) => sender), classifications }, minConfidence),
    olderThan,
    ...(keepNewest && { keepNewest }),
    action,
    ...(label === null ? {} : { label }),
    enabled,
  };
};

/** The outcome of an undo: some emails may be gone or moved. */
const describeUndone = ({ lastRun, counts }: Rule, isLast: boolean): ToastContent => {
  const { actions, undone } = (isLast && lastRun) || counts;
  const left = actions - undone;
  if (left > 0)
    return {
      title: t`${{ emails: countEmails(left) }} could not be put back`,
      detail: t`The history shows which.`,
      tone: 'failed',
    };
  return {
    title: isLast ? t`The last run is undone` : t`All runs are undone`,
    detail: t`The rule leaves these emails alone from now on.`,
    tone: 'done',
  };
};

export const useRules = () => {
  const { client } = useApi();
  const queryClient = useQueryClient();
  const runCleanup = useRunCleanup();
  const refresh = () => queryClient.invalidateQueries({ queryKey: rulesQuery(client).queryKey });
  const options = { onError: sayUnchanged, onSettled: refresh };

  const create = useMutation({
    mutationFn: (body: CreateRuleRequest) => client.createRule({ body }),
    ...options,
  });
  const change = useMutation({
    mutationFn: ({ rule, body }: { rule: Rule; body: UpdateRuleRequest }) =>
      client.updateRule({ params: { id: rule.id }, body }),
    ...options,
  });
  const remove = useMutation({
    mutationFn: (rule: Rule) => client.deleteRule({ params: { id: rule.id } }),
    onSuccess: (_response, rule) =>
      showToast({
        title: t`Rule deleted`,
        detail: t`What it did stays as it is, and can be undone in the history.`,
        tone: 'done',
        action: { label: t`Undo`, run: () => create.mutate(toRequest(rule)) },
      }),
    ...options,
  });
  const undo = useMutation({
    mutationFn: async ({ rule, isLast }: { rule: Rule; isLast: boolean }) => {
      const params = { id: rule.id };
      const toast = showToast({
        title: isLast ? t`Undoing the last run…` : t`Undoing all runs…`,
        tone: 'working',
      });
      try {
        if (isLast && rule.lastRun) {
          await client.undoCleanup({ params: { id: rule.lastRun.cleanupId } });
        } else await client.undoRule({ params });
        let current = await client.getRule({ params });
        void refresh();
        while (current.undoing > 0) {
          updateToast(toast, { title: describeUndoing(current.undoing), tone: 'working' });
          await new Promise((resolve) => setTimeout(resolve, FOLLOW_INTERVAL_MS));
          current = await client.getRule({ params });
        }
        updateToast(toast, describeUndone(current, isLast));
      } catch (error) {
        hideToast(toast);
        throw error;
      }
    },
    onError: sayUnchanged,
    onSettled: () => Promise.all([refresh(), refreshAfterCleanup(queryClient)]),
  });

  /** Deletes a new rule; one that has acted is undone, which pauses it. */
  const takeBack = useMutation({
    mutationFn: async ({ id }: Rule) => {
      const rule = await client.getRule({ params: { id } });
      if (rule.lastRun === null) await client.deleteRule({ params: { id } });
      else undo.mutate({ rule, isLast: false });
    },
    ...options,
  });

  return {
    create,
    change,
    remove,
    undo,
    takeBack,
    run: (plan: CleanupPlan) => runCleanup(plan, { onStop: () => void refresh() }),
  };
};

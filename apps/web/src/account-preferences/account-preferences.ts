import type { ApiClient } from '@mailsweep/client';
import {
  mergeLabelNames,
  mergeNotifications,
  mergeTrainingData,
  type Preferences,
  type UpdatePreferencesRequest,
} from '@mailsweep/contracts';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useApi } from '../api/api-context.tsx';
import { refresh } from '../api/query-keys.ts';
import { showToast, toFailure } from '../feedback/toasts.tsx';

/** Refresh intervals of an active watch, and of one before its first check. Unit: milliseconds. */
const WATCH_REFRESH_MS = 30_000;
const FIRST_CHECK_REFRESH_MS = 3_000;

export const accountPreferencesQuery = (client: ApiClient) =>
  queryOptions({
    queryKey: ['account-preferences'],
    queryFn: ({ signal }) => client.getPreferences({ signal }),
  });

export const useAccountPreferences = () => useQuery(accountPreferencesQuery(useApi().client));

export const watchQuery = (client: ApiClient) =>
  queryOptions({
    queryKey: ['watch'],
    queryFn: ({ signal }) => client.getWatch({ signal }),
    refetchInterval: ({ state: { data } }) => {
      if (!data || data.state === 'off') return false;
      return data.state === 'active' && data.lastRun === null ? FIRST_CHECK_REFRESH_MS : WATCH_REFRESH_MS;
    },
  });

const merge = (
  before: Preferences,
  {
    watch,
    timeZone,
    notifications = {},
    historyRetentionDays,
    labelNames,
    trainingData,
  }: UpdatePreferencesRequest,
): Preferences => ({
  ...before,
  watch: {
    enabled: watch?.enabled ?? before.watch.enabled,
    everyMinutes: watch?.everyMinutes ?? before.watch.everyMinutes,
  },
  timeZone: timeZone === undefined ? before.timeZone : timeZone,
  notifications: mergeNotifications(before.notifications, notifications),
  historyRetentionDays:
    historyRetentionDays === undefined ? before.historyRetentionDays : historyRetentionDays,
  labelNames: mergeLabelNames(before.labelNames, labelNames),
  trainingData: mergeTrainingData(before.trainingData, trainingData),
});

/** Shows changes at once, and reverts them if the API refuses. */
export const useUpdatePreferences = (failureTitle: string) => {
  const { client } = useApi();
  const queryClient = useQueryClient();
  const { queryKey } = accountPreferencesQuery(client);
  return useMutation({
    // Stores two quick changes in their order.
    scope: { id: 'account-preferences' },
    mutationFn: (changes: UpdatePreferencesRequest) => client.updatePreferences({ body: changes }),
    onMutate: async (changes) => {
      await queryClient.cancelQueries({ queryKey });
      const before = queryClient.getQueryData(queryKey);
      if (before) queryClient.setQueryData(queryKey, merge(before, changes));
      return before;
    },
    onError: (error, _changes, before) => {
      queryClient.setQueryData(queryKey, before);
      showToast({ ...toFailure(error), title: failureTitle });
    },
    onSettled: () => refresh(queryClient, queryKey, watchQuery(client).queryKey, ['audit']),
  });
};

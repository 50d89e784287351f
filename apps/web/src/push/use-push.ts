import { t } from '@lingui/core/macro';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ApiClient } from '../api/api-client.ts';
import { useApi } from '../api/api-context.tsx';
import { showToast, toFailure } from '../feedback/toasts.tsx';
import { readDevicePush, switchPushOff, switchPushOn } from './device-push.ts';

const pushQuery = (client: ApiClient) =>
  queryOptions({ queryKey: ['push'], queryFn: ({ signal }) => readDevicePush(client, signal) });

/** Whether this device gets notifications, and how to change that. */
export const usePush = () => {
  const { client } = useApi();
  const queryClient = useQueryClient();
  const query = useQuery(pushQuery(client));
  const fail = (title: string) => (error: Error) => showToast({ ...toFailure(error), title });

  const change = useMutation({
    mutationFn: async (isOn: boolean) => {
      const key = query.data?.key;
      if (!isOn) await switchPushOff(client);
      else if (key) await switchPushOn(client, key);
    },
    // What is being read shows a change that is only half done.
    onMutate: () => queryClient.cancelQueries({ queryKey: pushQuery(client).queryKey }),
    onError: fail(t`Notifications on this device were not changed`),
    onSettled: () => queryClient.invalidateQueries({ queryKey: pushQuery(client).queryKey }),
  });
  const test = useMutation({
    mutationFn: () => client.sendTestNotification({}),
    onSuccess: () => showToast({ title: t`A test is on its way`, tone: 'done' }),
    onError: fail(t`The test was not sent`),
  });
  return { query, change, test };
};

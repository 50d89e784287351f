import { t } from '@lingui/core/macro';
import type { PushLanguage, SubscribeToPushRequest } from '@mailsweep/contracts';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ApiClient } from '../api/api-client.ts';
import { useApi } from '../api/api-context.tsx';
import { describeError } from '../api/describe-error.ts';
import { showToast } from '../feedback/toasts.tsx';
import { chooseLanguage } from '../language/choose-language.ts';
import { findPushSupport, findSubscriptionId, subscribeBrowser, unsubscribeBrowser } from './browser-push.ts';

/** Whether this device gets notifications, and why not. */
export type PushState = 'unsupported' | 'not_installed' | 'unavailable' | 'denied' | 'off' | 'on';

interface DevicePush {
  state: PushState;
  key: string | null;
}

/** The most subscriptions that a user may have fit on a page. */
const ALL = { page: 1, perPage: 100 };

const readDevicePush = async (client: ApiClient, signal: AbortSignal): Promise<DevicePush> => {
  const support = findPushSupport();
  if (support !== 'supported') return { state: support, key: null };
  const { key } = await client.getPushKey({ signal });
  if (key === null) return { state: 'unavailable', key };
  if (Notification.permission === 'denied') return { state: 'denied', key };
  const id = await findSubscriptionId(key);
  if (id === null) return { state: 'off', key };
  const { data } = await client.listPushSubscriptions({ query: ALL, signal });
  return { state: data.some((one) => one.id === id) ? 'on' : 'off', key };
};

const pushQuery = (client: ApiClient) =>
  queryOptions({ queryKey: ['push'], queryFn: ({ signal }) => readDevicePush(client, signal) });

/** What the API takes of a subscription. */
const toRequest = (subscription: PushSubscription, language: PushLanguage): SubscribeToPushRequest => {
  const { endpoint, keys } = subscription.toJSON();
  return {
    endpoint: endpoint ?? '',
    keys: { p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' },
    language,
  };
};

/** Whether this device gets notifications, and how to change that. */
export const usePush = () => {
  const { client } = useApi();
  const queryClient = useQueryClient();
  const query = useQuery(pushQuery(client));
  const fail = (title: string) => (error: Error) =>
    showToast({ title, detail: describeError(error).advice, tone: 'failed' });

  const change = useMutation({
    mutationFn: async (isOn: boolean) => {
      if (!isOn) {
        const id = await unsubscribeBrowser();
        if (id !== null) await client.unsubscribeFromPush({ params: { id } });
        return;
      }
      const key = query.data?.key;
      const subscription = key ? await subscribeBrowser(key) : null;
      if (subscription === null) return;
      await client.subscribeToPush({ body: toRequest(subscription, chooseLanguage().language) });
    },
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

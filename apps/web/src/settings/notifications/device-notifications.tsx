import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import type { ApiClient } from '@mailsweep/client';
import { Button, Switch } from '@mantine/core';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useApi } from '../../api/api-context.tsx';
import { showToast, toFailure } from '../../feedback/toasts.tsx';
import { type PushState, readDevicePush, switchPushOff, switchPushOn } from '../../push/device-push.ts';
import classes from '../section/settings-controls.module.css';
import { hasFailed, LoadFailure, SettingsRow } from '../section/settings-section.tsx';

const NOTES: Record<PushState, MessageDescriptor> = {
  unsupported: msg`This browser shows no notifications of a closed app. Another one may.`,
  not_installed: msg`Install Mailsweep first: tap “Share” and then “Add to Home Screen”, and open it from there.`,
  unavailable: msg`Notifications are not set up on this server. Its operator can change that.`,
  denied: msg`You have blocked notifications of this site. Allow them in the settings of your browser, then come back.`,
  off: msg`Off. Your browser asks for permission when you switch it on.`,
  on: msg`On. Choose below what you want to be told.`,
};

/** Nobody should wait for notifications that no device shows. */
const OFF_BUT_WANTED = msg`Off: this device does not show what you choose below. Your browser asks for permission when you switch it on.`;

const pushQuery = (client: ApiClient) =>
  queryOptions({ queryKey: ['push'], queryFn: ({ signal }) => readDevicePush(client, signal) });

/** Whether this device gets notifications, and how to change that. */
const usePush = () => {
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

/**
 * Whether this device gets notifications; the browser asks for permission only when the user switches them on.
 *
 * @param props.isWanted - the user has chosen something to be told
 */
export const DeviceNotifications = ({ isWanted }: { isWanted: boolean }) => {
  const { query, change, test } = usePush();
  if (hasFailed(query)) return <LoadFailure query={query} />;
  const state = query.data?.state;
  const note = state === 'off' && isWanted ? OFF_BUT_WANTED : state && NOTES[state];
  const isOn = change.isPending ? change.variables : state === 'on';
  return (
    <SettingsRow
      name={t`On this device`}
      note={<span role="status">{note ? i18n._(note) : t`Looking…`}</span>}
    >
      <div className={classes.controls}>
        {state === 'on' && (
          <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
            {t`Send a test`}
          </Button>
        )}
        <Switch
          size="md"
          checked={isOn}
          disabled={(state !== 'on' && state !== 'off') || change.isPending}
          onChange={(event) => change.mutate(event.currentTarget.checked)}
          aria-label={t`Notifications on this device`}
        />
      </div>
    </SettingsRow>
  );
};

import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { OutgoingCalls } from '@mailsweep/contracts';
import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../api/api-context.tsx';
import { saveFile } from '../controls/save-file.ts';
import { formatBytes } from '../email/sizes.ts';
import { formatAgo } from '../time/format-time.tsx';
import { SettingsRow, SettingsSection } from './section/settings-section.tsx';

const FILE_NAME = 'mailsweep-outgoing-calls.json';

const describePurpose = (purpose: OutgoingCalls['purpose']): string =>
  ({
    mailbox: t`Your mailbox`,
    sign_in: t`Sign-in`,
    classification: t`Classification of your emails`,
    workflow: t`The operator’s workflow service`,
    push: t`Notifications on your devices`,
    unsubscribe: t`Requests to unsubscribe`,
    assistant: t`Programs that you connect`,
    other: t`Something else`,
  })[purpose];

/** Fields of emails, in the order of the API. */
const describeFields = (fields: readonly string[]): string => {
  const words = new Map([
    ['id', t`id`],
    ['from', t`sender`],
    ['subject', t`subject`],
    ['date', t`date`],
    ['isRead', t`whether it is read`],
    ['category', t`category`],
    ['attachmentSizeMb', t`size of attachments`],
  ]);
  const list = fields.map((field) => words.get(field) ?? field).join(', ');
  return list === '' ? t`Sends nothing of your emails.` : t`Sends of emails: ${list}.`;
};

const describeCounts = ({ total, last30Days, lastAt }: OutgoingCalls, now: Date): string => {
  const calls = plural(total.calls, { one: '# call', other: '# calls' });
  const recent = last30Days.calls;
  const sizes = t`${formatBytes(total.bytesSent)} sent, ${formatBytes(total.bytesReceived)} received`;
  const last = formatAgo(new Date(lastAt), now);
  return t`${calls} (${recent} in the last 30 days), ${sizes}, last ${last}.`;
};

const Host = (props: { calls: OutgoingCalls; hosts?: readonly string[]; now: Date }) => {
  const { calls, hosts = [], now } = props;
  const named = calls.host ?? hosts.join(', ');
  return (
    <SettingsRow
      name={named === '' ? describePurpose(calls.purpose) : `${describePurpose(calls.purpose)}: ${named}`}
      note={`${describeCounts(calls, now)} ${describeFields(calls.emailFields)}`}
    />
  );
};

/** Every host that was called for the user, and what the calls sent. */
export const OutgoingCallsList = () => {
  const { client } = useApi();
  const query = useQuery({
    queryKey: ['outgoing-calls'],
    queryFn: ({ signal }) => client.listOutgoingCalls({ signal }),
  });
  if (query.isPending) return null;
  const { user = [], installation = [], unsubscribeHosts = [] } = query.data ?? {};
  const forEverybody = new Set(installation.map(({ host, purpose }) => host ?? describePurpose(purpose)));
  const now = new Date();
  return (
    <SettingsSection title={t`Privacy: who was called for you`} query={query}>
      {user.length === 0 && <SettingsRow name={t`Nobody yet`} />}
      {user.map((calls) => (
        <Host
          key={`${calls.purpose} ${calls.host}`}
          calls={calls}
          now={now}
          {...(calls.purpose === 'unsubscribe' && { hosts: unsubscribeHosts })}
        />
      ))}
      {forEverybody.size > 0 && (
        <SettingsRow
          name={t`For everybody`}
          note={t`While it was not known yet who signs in: ${[...forEverybody].join(', ')}.`}
        />
      )}
      <SettingsRow
        name={t`Complete list`}
        note={t`Every call of Mailsweep’s servers is counted, however it is made.`}
      >
        <Button
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden="true" />}
          onClick={() => saveFile(FILE_NAME, JSON.stringify(query.data, null, 2))}
        >
          <Trans>Save as JSON</Trans>
        </Button>
      </SettingsRow>
    </SettingsSection>
  );
};

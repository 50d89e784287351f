import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { EXPORT_FILE_NAME, type Me } from '@mailsweep/contracts';
import { Button } from '@mantine/core';
import { IconDownload, IconTrash } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useApi } from '../../api/api-context.tsx';
import { isRecentSignInRequired, toClause } from '../../api/errors.ts';
import { saveFile } from '../../controls/save-file.ts';
import { showToast, toFailure } from '../../feedback/toasts.tsx';
import { lazyPart } from '../../lazy-parts/lazy-part.ts';
import { PartBoundary } from '../../lazy-parts/part-boundary.tsx';
import { auditQuery } from '../account/account-security.tsx';
import { SettingsRow } from '../section/settings-section.tsx';
import { RecentSignInDialog, useOpenDialog } from './open-dialog.ts';
import type { SensitiveAction } from './settings-search.ts';

const EraseDialog = lazyPart(async () => (await import('./stored-data-dialogs.tsx')).EraseDialog);
const ExportDialog = lazyPart(async () => (await import('./stored-data-dialogs.tsx')).ExportDialog);

/** The open dialog: of an action, or of the sign-in that it needs. */
type OpenDialog = { action: SensitiveAction; needsSignIn: boolean };

/** Exports and erases the user's data. */
export const StoredData = ({ me }: { me: Me }) => {
  const { client } = useApi();
  const queryClient = useQueryClient();
  const { dialog, open, close } = useOpenDialog<OpenDialog>((action) =>
    action ? { action, needsSignIn: false } : null,
  );
  const askForSignIn = (action: SensitiveAction) => open({ action, needsSignIn: true });
  const download = useMutation({
    mutationFn: () => client.exportMe({}),
    onSuccess: (data) => {
      saveFile(EXPORT_FILE_NAME, JSON.stringify(data, null, 2));
      close();
      void queryClient.invalidateQueries({ queryKey: auditQuery(client).queryKey });
    },
    onError: (error) => {
      if (isRecentSignInRequired(error)) return askForSignIn('export');
      showToast(toFailure(error, (title) => t`Nothing was downloaded: ${{ why: toClause(title) }}`));
    },
  });
  const asked = dialog?.needsSignIn ? undefined : dialog?.action;
  return (
    <>
      <SettingsRow
        name={t`Download my data`}
        note={t`Everything stored about you, as one JSON file: your history, suggestions and events.`}
      >
        <Button
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden="true" />}
          loading={download.isPending}
          onClick={() => download.mutate()}
        >
          <Trans>Download</Trans>
        </Button>
      </SettingsRow>
      <SettingsRow
        name={t`Delete my data`}
        note={t`Erases all of it for good and gives the access to your mailbox back. Your email stays as it is.`}
      >
        <Button
          variant="default"
          c="var(--danger)"
          leftSection={<IconTrash size={16} aria-hidden="true" />}
          onClick={() => open({ action: 'erase', needsSignIn: false })}
        >
          <Trans>Delete…</Trans>
        </Button>
      </SettingsRow>
      <PartBoundary>
        {asked === 'erase' && (
          <EraseDialog me={me} onClose={close} onSignInNeeded={() => askForSignIn('erase')} />
        )}
        {asked === 'export' && (
          <ExportDialog
            isDownloading={download.isPending}
            onDownload={() => download.mutate()}
            onClose={close}
          />
        )}
        {dialog?.needsSignIn && <RecentSignInDialog action={dialog.action} onClose={close} />}
      </PartBoundary>
    </>
  );
};

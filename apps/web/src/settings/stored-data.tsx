import type { Me } from '@mailsweep/contracts';
import { Button } from '@mantine/core';
import { IconDownload, IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useApi } from '../api/api-context.tsx';
import { describeError } from '../api/describe-error.ts';
import { useOnceTrue } from '../controls/use-once-true.ts';
import { showToast } from '../feedback/toasts.tsx';
import { saveFile } from './save-file.ts';
import { SettingsRow } from './settings-section.tsx';

const EraseDialog = lazy(async () => ({ default: (await import('./erase-dialog.tsx')).EraseDialog }));

const EXPORT_FILE_NAME = 'mailsweep-export.json';

/** What is stored of the person: to take along, and to have erased. */
export const StoredData = ({ me }: { me: Me }) => {
  const { client } = useApi();
  const [isErasing, setIsErasing] = useState(false);
  const hasAsked = useOnceTrue(isErasing);
  const download = useMutation({
    mutationFn: () => client.exportMe({}),
    onSuccess: (data) => saveFile(EXPORT_FILE_NAME, JSON.stringify(data, null, 2)),
    onError: (error) => {
      const { title, advice } = describeError(error);
      showToast({ title: `Nothing was downloaded: ${title.toLowerCase()}`, detail: advice, tone: 'failed' });
    },
  });
  return (
    <>
      <SettingsRow
        name="Download my data"
        note="Everything stored about you, as one JSON file: your history, suggestions and events."
      >
        <Button
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden="true" />}
          loading={download.isPending}
          onClick={() => download.mutate()}
        >
          Download
        </Button>
      </SettingsRow>
      <SettingsRow
        name="Delete my data"
        note="Erases all of it for good and gives the access to your mailbox back. Your mail stays as it is."
      >
        <Button
          variant="default"
          c="var(--danger)"
          leftSection={<IconTrash size={16} aria-hidden="true" />}
          onClick={() => setIsErasing(true)}
        >
          Delete…
        </Button>
      </SettingsRow>
      <Suspense>
        {hasAsked && <EraseDialog me={me} isOpen={isErasing} onClose={() => setIsErasing(false)} />}
      </Suspense>
    </>
  );
};

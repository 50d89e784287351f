import { t } from '@lingui/core/macro';
import type { ApiClient } from '@mailsweep/client';
import type { Protection } from '@mailsweep/contracts';
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { useApi } from '../api/api-context.tsx';
import { isInvalidInput } from '../api/errors.ts';
import { PROTECTIONS_KEY, refresh, SENDERS_KEY, SUGGESTIONS_KEY } from '../api/query-keys.ts';
import { parseSender } from '../email/sender/sender.ts';
import { sayUnchanged, showToast } from '../feedback/toasts.tsx';

export interface ProtectableSender {
  id: string;
  from: string;
  /** Of a protection: those of domains and lists have ids by which they can only be ended. */
  type?: Protection['type'];
}

interface Change {
  sender: ProtectableSender;
  isProtected: boolean;
}

const setProtection = async (
  { client, queryClient }: { client: ApiClient; queryClient: QueryClient },
  { sender, isProtected }: Change,
): Promise<void> => {
  const params = { id: sender.id };
  try {
    await (isProtected ? client.protectSender({ params }) : client.unprotectSender({ params }));
  } catch (error) {
    return sayUnchanged(error);
  }
  const { name } = parseSender(sender.from);
  const undo = { sender, isProtected: !isProtected };
  showToast({
    tone: 'done',
    title: isProtected ? t`Protected: ${{ name }}` : t`No longer protected: ${{ name }}`,
    ...(isProtected && {
      detail: t`Bulk actions leave their email alone, and clearing it is no longer suggested.`,
    }),
    ...((sender.type ?? 'sender') === 'sender' && {
      action: { label: t`Undo`, run: () => void setProtection({ client, queryClient }, undo) },
    }),
  });
  await refreshProtected(queryClient);
};

const refreshProtected = (queryClient: QueryClient) =>
  refresh(queryClient, PROTECTIONS_KEY, SENDERS_KEY, SUGGESTIONS_KEY);

export const useProtect = () => {
  const { client } = useApi();
  const queryClient = useQueryClient();
  return useMutation({ mutationFn: (change: Change) => setProtection({ client, queryClient }, change) });
};

/** Protects a typed address or domain. The field reports other input. */
export const useProtectByName = () => {
  const { client } = useApi();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => client.protectByName({ body: { name } }),
    onSuccess: (protection) => {
      showToast({ tone: 'done', title: t`Protected: ${{ name: parseSender(protection.from).name }}` });
      return refreshProtected(queryClient);
    },
    onError: (error) => {
      if (!isInvalidInput(error)) sayUnchanged(error);
    },
  });
};

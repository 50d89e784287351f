import { t } from '@lingui/core/macro';
import { useMe } from './me-query.ts';

/** What the user's mail provider is called; in general words where the API of the version before does not tell. */
export const useProviderName = (): string => useMe().data?.provider?.name ?? t`Your mail provider`;

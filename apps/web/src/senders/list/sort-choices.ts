import { t } from '@lingui/core/macro';
import type { Choice } from '../../controls/select.tsx';
import type { SenderFilters } from './sender-filters.ts';

export const toSortChoices = (): readonly Choice<SenderFilters['sort'] & string>[] => [
  { label: t`Most emails`, value: undefined },
  { label: t`Most in the inbox`, value: 'inInbox' },
  { label: t`Most unread`, value: 'unread' },
  { label: t`Largest`, value: 'bytes' },
  { label: t`Last seen`, value: 'lastSeen' },
  { label: t`Most suggested`, value: 'suggested' },
];

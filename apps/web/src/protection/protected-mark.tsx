import { t } from '@lingui/core/macro';
import { IconShieldCheckFilled } from '@tabler/icons-react';
import { useFindProtection } from './protections-query.ts';

/** Beside the name of a sender that is protected. */
export const ProtectedMark = ({ from }: { from: string }) => {
  const isProtected = useFindProtection()(from) !== undefined;
  return isProtected ? (
    <IconShieldCheckFilled
      size={14}
      role="img"
      aria-label={t`Protected`}
      style={{ flex: 'none', color: 'var(--accent-text)', verticalAlign: '-2px' }}
    />
  ) : null;
};

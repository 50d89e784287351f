import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { IconShield, IconShieldCheckFilled } from '@tabler/icons-react';
import { type ProtectableSender, useProtect } from './use-protect.ts';

/** Says whether a sender is protected, and changes it. */
export const ShieldButton = (props: { sender: ProtectableSender; isProtected: boolean }) => {
  const { sender, isProtected } = props;
  const protect = useProtect();
  const Icon = isProtected ? IconShieldCheckFilled : IconShield;
  return (
    <Button
      variant={isProtected ? 'light' : 'default'}
      size="compact-md"
      leftSection={<Icon size={16} aria-hidden="true" />}
      loading={protect.isPending}
      aria-label={isProtected ? t`Protected: end the protection` : t`Protect this sender`}
      onClick={() => protect.mutate({ sender, isProtected: !isProtected })}
    >
      {isProtected ? t`Protected` : t`Protect`}
    </Button>
  );
};

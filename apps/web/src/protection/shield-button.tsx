import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { IconShield, IconShieldCheckFilled } from '@tabler/icons-react';
import { useFindProtection } from './protections.tsx';
import { type ProtectableSender, useProtect } from './use-protect.ts';

/** Shows and changes whether a sender is protected. Protected domains change in the settings. */
export const ShieldButton = (props: { sender: ProtectableSender; isProtected: boolean }) => {
  const { sender, isProtected } = props;
  const protect = useProtect();
  const Icon = isProtected ? IconShieldCheckFilled : IconShield;
  const protection = useFindProtection()(sender.from);
  if (isProtected && protection?.type === 'domain') {
    return (
      <Button
        variant="light"
        size="compact-md"
        leftSection={<Icon size={16} aria-hidden="true" />}
        disabled
        title={t`Everyone at ${{ domain: protection.from }} is protected. You can end that in the settings.`}
      >
        {t`Protected with ${{ domain: protection.from }}`}
      </Button>
    );
  }
  return (
    <Button
      variant={isProtected ? 'light' : 'default'}
      size="compact-md"
      leftSection={<Icon size={16} aria-hidden="true" />}
      loading={protect.isPending}
      aria-label={isProtected ? t`Protected: end the protection` : t`Keep: protect this sender`}
      onClick={() =>
        // A typed address keeps its spelling.
        protect.mutate({
          sender: isProtected && protection ? { ...sender, id: protection.id } : sender,
          isProtected: !isProtected,
        })
      }
    >
      {isProtected ? t`Protected` : t`Keep`}
    </Button>
  );
};

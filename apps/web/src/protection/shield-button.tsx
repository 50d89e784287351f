import { t } from '@lingui/core/macro';
import type { Sender } from '@mailsweep/contracts';
import { Button } from '@mantine/core';
import { IconShield, IconShieldCheckFilled } from '@tabler/icons-react';
import { useFindProtection } from './protections.tsx';
import { type ProtectableSender, useProtect } from './use-protect.ts';

/** Shows and changes whether a sender or group is protected. Protected domains of senders change in the settings. */
export const ShieldButton = (props: {
  sender: ProtectableSender;
  group?: Sender['group'];
  isProtected: boolean;
}) => {
  const { sender, group, isProtected } = props;
  const protect = useProtect();
  const Icon = isProtected ? IconShieldCheckFilled : IconShield;
  const protection = useFindProtection()(sender.from, group);
  if (isProtected && protection?.type === 'domain' && group === undefined) {
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
      // Its senders are protected one by one.
      disabled={isProtected && group !== undefined && protection === undefined}
      aria-label={isProtected ? t`Protected: end the protection` : t`Keep: protect this sender`}
      onClick={() =>
        // A typed address keeps its spelling; a group's id is what undo takes.
        protect.mutate({
          sender: isProtected && protection && !group ? { ...sender, id: protection.id } : sender,
          isProtected: !isProtected,
        })
      }
    >
      {isProtected ? t`Protected` : t`Keep`}
    </Button>
  );
};

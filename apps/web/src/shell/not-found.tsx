import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { IconMapOff } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { EmptyState } from '../feedback/empty-state.tsx';

export const NotFound = () => {
  useEffect(() => {
    document.title = t`Not found · Mailsweep`;
  }, []);
  return (
    <main>
      <EmptyState
        icon={<IconMapOff />}
        title={t`There is nothing at this address`}
        isScreen
        actions={
          <Button component={Link} to="/inbox">
            <Trans>Go to the inbox</Trans>
          </Button>
        }
      >
        <Trans>The link may be old or mistyped.</Trans>
      </EmptyState>
    </main>
  );
};

import { Button } from '@mantine/core';
import { IconMapOff } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { EmptyState } from '../feedback/empty-state.tsx';

/** For an address that is none of ours. */
export const NotFound = () => {
  useEffect(() => {
    document.title = 'Not found · Mailsweep';
  }, []);
  return (
    <main>
      <EmptyState
        icon={<IconMapOff />}
        title="There is nothing at this address"
        isScreen
        actions={
          <Button component={Link} to="/inbox">
            Go to the inbox
          </Button>
        }
      >
        The link may be old or mistyped.
      </EmptyState>
    </main>
  );
};

import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { IconSearchOff } from '@tabler/icons-react';
import { EmptyState } from '../../feedback/empty-state.tsx';

/** In place of the list when the search cannot be understood. @param props.message - what is wrong with it */
export const WrongSearch = (props: { q: string; message: string; onClear: () => void }) => (
  <div role="alert">
    <EmptyState
      icon={<IconSearchOff />}
      title={t`This search cannot be understood`}
      actions={
        <Button onClick={props.onClear}>
          <Trans>Clear the search</Trans>
        </Button>
      }
    >
      <bdi>{props.q}</bdi> {props.message}.
    </EmptyState>
  </div>
);

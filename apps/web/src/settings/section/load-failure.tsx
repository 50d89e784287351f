import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { describeError } from '../../api/describe-error.ts';
import { SettingsRow } from './settings-section.tsx';

/** Shown instead of a part of the settings that could not be loaded. */
export const LoadFailure = ({ error, onRetry }: { error: unknown; onRetry: () => void }) => {
  const { title, advice } = describeError(error);
  return (
    <div role="alert">
      <SettingsRow name={title} note={advice}>
        <Button variant="default" onClick={onRetry}>
          <Trans>Try again</Trans>
        </Button>
      </SettingsRow>
    </div>
  );
};

import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';

/** Beside the words about something that could not be loaded. */
export const RetryButton = (props: { isLoading?: boolean; onClick: () => void }) => (
  <Button size="compact-sm" variant="light" loading={props.isLoading === true} onClick={props.onClick}>
    <Trans>Try again</Trans>
  </Button>
);

import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { IconArrowBackUp, IconX } from '@tabler/icons-react';
import { countEmails } from '../email/counts.ts';
import barClasses from '../inbox/selection-bar.module.css';
import { countLeft } from './history-batches.ts';
import type { BatchSelection } from './use-batch-selection.ts';

/** Undo for everything that is ticked. */
export const UndoBar = ({ selection }: { selection: BatchSelection }) => (
  <div className={barClasses.bar} role="toolbar" aria-label={t`Selected actions`}>
    <button
      type="button"
      className={barClasses.clear}
      onClick={selection.clear}
      aria-label={t`Clear the selection`}
    >
      <IconX size={17} aria-hidden="true" />
    </button>
    <span className={barClasses.count} role="status">
      <strong>{countEmails(selection.selected.reduce((sum, batch) => sum + countLeft(batch), 0))}</strong>
    </span>
    <Button leftSection={<IconArrowBackUp size={17} aria-hidden="true" />} onClick={selection.undoSelected}>
      <Trans>
        Undo <kbd className={barClasses.key}>Shift Z</kbd>
      </Trans>
    </Button>
  </div>
);

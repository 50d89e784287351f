import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { KeyCap, SelectionToolbar } from '../../controls/list/selection-toolbar.tsx';
import { countEmails } from '../../email/counts.ts';
import { countLeft } from './history-batches.ts';
import type { BatchSelection } from './use-batch-selection.ts';

/** Undo for everything that is ticked. */
export const UndoBar = ({ selection }: { selection: BatchSelection }) => (
  <SelectionToolbar
    label={t`Selected actions`}
    count={countEmails(selection.selected.reduce((sum, batch) => sum + countLeft(batch), 0))}
    onClear={selection.clear}
  >
    <Button leftSection={<IconArrowBackUp size={17} aria-hidden="true" />} onClick={selection.undoSelected}>
      <Trans>
        Undo <KeyCap>Shift Z</KeyCap>
      </Trans>
    </Button>
  </SelectionToolbar>
);

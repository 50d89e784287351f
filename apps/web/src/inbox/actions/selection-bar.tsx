import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { EmailActionButtons, SelectionToolbar } from '../../controls/list/selection-toolbar.tsx';
import { countEmails } from '../../email/counts.ts';
import type { Triage } from './use-triage.ts';

/** What can be done with the ticked emails. */
export const SelectionBar = (props: {
  count: number;
  isEveryLoaded: boolean;
  senders: number;
  triage: Triage;
  /** Set where every loaded email is selected, and more match that are not loaded. */
  all?: { isSelected: boolean; count: string; select: () => void } | undefined;
}) => {
  const { count, senders, triage, all } = props;
  return (
    <SelectionToolbar
      label={t`Selected emails`}
      count={all?.isSelected ? t`All ${all.count}` : countEmails(count)}
      detail={
        all?.isSelected
          ? t`, loaded or not`
          : count > 0 && ` ${plural(senders, { one: 'from # sender', other: 'from # senders' })}`
      }
      onSelectAll={props.isEveryLoaded || all?.isSelected ? undefined : triage.toggleAll}
      onClear={triage.clear}
    >
      {all && !all.isSelected && (
        <Button variant="light" onClick={all.select}>
          <Trans>Select all {all.count}</Trans>
        </Button>
      )}
      <EmailActionButtons
        readChange={triage.readChange}
        isDisabled={count === 0}
        onRequest={triage.requestForSelected}
      />
    </SelectionToolbar>
  );
};

import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { accountPreferencesQuery } from '../account-preferences/account-preferences.ts';
import { useApi } from '../api/api-context.tsx';
import { useTrashNote } from '../session/use-mailbox.ts';
import shapes from '../shapes.module.css';
import classes from './consequence-list.module.css';
import type { Consequences } from './consequences.ts';
import { describeConsequence, toActionIcon } from './suggestion-words.tsx';

/** What accepting will do: one line per action. */
export const ConsequenceList = ({ consequences }: { consequences: Consequences }) => {
  const isLabelling = consequences.counts.some(({ labels = [] }) => labels.length > 0);
  const { data: preferences } = useQuery({
    ...accountPreferencesQuery(useApi().client),
    enabled: isLabelling,
  });
  const trashNote = useTrashNote();
  return (
    <ul className={`${shapes.plainList} ${classes.consequences}`}>
      {consequences.counts.map(({ action, count, labels }) => {
        const Icon = toActionIcon(action);
        return (
          <li key={action} data-action={action}>
            <Icon size={17} stroke={1.8} aria-hidden="true" />
            <span>
              {describeConsequence(action, count, labels, preferences?.labelNames)}
              {action === 'delete' && ` ${trashNote}`}
            </span>
          </li>
        );
      })}
      {consequences.total === 0 && (
        <li>
          <Trans>Nothing: no email is ticked.</Trans>
        </li>
      )}
    </ul>
  );
};

import { IconArchive, IconEye, IconTag, IconTrash } from '@tabler/icons-react';
import classes from './plan-summary.module.css';
import type { Plan } from './suggestion-groups.ts';
import { describeConsequence } from './suggestion-words.ts';

const ICONS = { archive: IconArchive, delete: IconTrash, label: IconTag, notify: IconEye };

/** What accepting will do, before it does it: one line for each kind of action. */
export const PlanSummary = ({ plan }: { plan: Plan }) => (
  <ul className={classes.plan}>
    {plan.counts.map(({ action, count, labels }) => {
      const Icon = ICONS[action];
      return (
        <li key={action} data-action={action}>
          <Icon size={17} stroke={1.8} aria-hidden="true" />
          <span>{describeConsequence(action, count, labels)}</span>
        </li>
      );
    })}
    {plan.total === 0 && <li>Nothing: no email is ticked.</li>}
  </ul>
);

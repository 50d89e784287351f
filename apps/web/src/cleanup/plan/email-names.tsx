import type { CleanupPlan } from '@mailsweep/contracts';
import { EmailName } from './email-name.tsx';
import classes from './plan-dialog.module.css';

/** Emails by sender and subject. */
export const EmailNames = (props: { label: string; emails: CleanupPlan['sample'] }) => (
  <ul className={classes.sample} aria-label={props.label}>
    {props.emails.map((email) => (
      <li key={email.id}>
        <EmailName email={email} />
      </li>
    ))}
  </ul>
);

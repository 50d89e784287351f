import { Button } from '@mantine/core';
import {
  IconAlertCircle,
  IconArrowBackUp,
  IconBrandGoogle,
  IconEyeOff,
  IconInfoCircle,
  IconSparkles,
} from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { toSignInUrl } from '../api/api-client.ts';
import { useApi } from '../api/api-context.tsx';
import type { SignInReason } from '../session/session-watch.ts';
import { Brand } from '../shell/brand.tsx';
import { SIGN_IN_ERRORS } from './sign-in-errors.ts';
import classes from './sign-in-screen.module.css';

const route = getRouteApi('/sign-in');

const PROMISES = [
  {
    icon: IconSparkles,
    title: 'Suggestions, grouped by sender',
    text: 'See what would happen and how sure we are, then decide.',
  },
  {
    icon: IconArrowBackUp,
    title: 'Every action can be undone',
    text: 'One by one or all at once. Delete only ever means Trash.',
  },
  {
    icon: IconEyeOff,
    title: 'Your mail stays private',
    text: 'Suggestions look at sender, subject and date, never at what a mail says.',
  },
];

const REASONS: Record<SignInReason, string> = {
  expired: 'Your session has ended. Sign in to go on where you were.',
  signed_out: 'You are signed out. See you soon.',
  signed_out_everywhere: 'You are signed out here and on every other device.',
  erased: 'Everything stored about you was erased, and your mail stays as it is. Take care.',
};

const Notice = () => {
  const { reason, error } = route.useSearch();
  if (error) {
    return (
      <p className={classes.notice} data-tone="error" role="alert">
        <IconAlertCircle size={18} aria-hidden="true" />
        {SIGN_IN_ERRORS[error]}
      </p>
    );
  }
  if (!reason) return null;
  return (
    <p className={classes.notice} role="status">
      <IconInfoCircle size={18} aria-hidden="true" />
      {REASONS[reason]}
    </p>
  );
};

/** The door: what Mailsweep does, and the one button that begins. */
export const SignInScreen = () => {
  const { origin } = useApi();
  return (
    <main className={classes.screen}>
      <div className={classes.card}>
        <Brand size={34} />
        <h1 className={classes.title}>A calm mailbox, one decision at a time.</h1>
        <Notice />
        <Button
          component="a"
          href={toSignInUrl(origin)}
          size="md"
          fullWidth
          leftSection={<IconBrandGoogle size={19} aria-hidden="true" />}
        >
          Continue with Google
        </Button>
        <ul className={classes.promises}>
          {PROMISES.map(({ icon: Icon, title, text }) => (
            <li key={title}>
              <Icon size={20} stroke={1.7} aria-hidden="true" />
              <div>
                <strong>{title}</strong>
                <span>{text}</span>
              </div>
            </li>
          ))}
        </ul>
      </div>
    </main>
  );
};

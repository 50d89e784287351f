import { Trans } from '@lingui/react/macro';
import classes from './brand.module.css';

/** Sign and name. */
export const Brand = () => (
  <span className={classes.brand}>
    <svg width={28} height={28} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="9" fill="#0f766e" />
      <path
        d="M7 11.5 16 18l9-6.500"
        fill="none"
        stroke="#fff"
        strokeWidth="2.6"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <path d="M9 22.500h14" stroke="#8ce0d3" strokeWidth="2.6" strokeLinecap="round" />
    </svg>
    <span className={classes.name}>
      <Trans>Mailsweep</Trans>
    </span>
  </span>
);

import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { IconRadar2 } from '@tabler/icons-react';
import { MINUTES_PER_1000_EMAILS } from '../../scan/scan-words.ts';
import type { ScanControl } from '../../scan/use-scan.ts';
import shapes from '../../shapes.module.css';
import classes from './consent.module.css';

/** Asks before the first scan, which reads the whole mailbox. */
export const Consent = ({ scan, onPutOff }: { scan: ScanControl; onPutOff: () => void }) => (
  <section className={`${shapes.card} ${classes.consent}`} aria-labelledby="consent-title">
    <span className={classes.icon} aria-hidden="true">
      <IconRadar2 size={30} stroke={1.7} />
    </span>
    <h2 id="consent-title" className={classes.title}>
      <Trans>Find what can be cleaned</Trans>
    </h2>
    <p className={classes.text}>
      <Trans>
        Mailsweep reads sender, subject, date and labels of every email to find what can be cleaned. Nothing
        is changed.
      </Trans>
    </p>
    <div className={classes.actions}>
      <Button size="md" loading={scan.isStarting} onClick={scan.start}>
        <Trans>Scan my mailbox</Trans>
      </Button>
      <Button size="md" variant="default" disabled={scan.isStarting} onClick={onPutOff}>
        <Trans>Not now</Trans>
      </Button>
    </div>
    <p className={classes.aside}>
      <Trans>
        Allow about {MINUTES_PER_1000_EMAILS} minutes for every 1,000 emails; you can leave meanwhile.{' '}
        <span>“Not now” scans your newest 100 emails only.</span>
      </Trans>
    </p>
  </section>
);

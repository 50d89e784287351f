import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { useRef } from 'react';
import { Dialog } from '../controls/dialog.tsx';
import { DialogButtons } from '../controls/dialog-buttons.tsx';
import { countEmails } from '../email/counts.ts';
import { parseSender } from '../email/sender/sender.ts';
import shapes from '../shapes.module.css';
import classes from './unsubscribe.module.css';
import { UnsubscribeLinks } from './unsubscribe-links.tsx';
import { canUnsubscribe, takesRequest } from './unsubscribe-words.ts';
import type { UnsubscribableSender, Unsubscribing } from './use-unsubscribe.ts';

const toTitle = (senders: readonly UnsubscribableSender[]): string => {
  const [first] = senders;
  if (senders.length !== 1 || first === undefined) {
    return plural(senders.length, {
      one: 'Unsubscribe from # sender?',
      other: 'Unsubscribe from # senders?',
    });
  }
  return t`Unsubscribe from ${{ name: parseSender(first.from).name }}?`;
};

/** Who gets a request, and where it goes. */
const Requests = ({ senders }: { senders: readonly UnsubscribableSender[] }) => (
  <>
    <p className={classes.text}>
      <Trans>Mailsweep asks them to stop sending you email. Most stop within a few days.</Trans>
    </p>
    <ul className={`${shapes.plainList} ${classes.hosts}`}>
      {senders.map(({ id, from }) => (
        <li key={id}>
          <bdi>{parseSender(from).name}</bdi>
        </li>
      ))}
    </ul>
    <details className={classes.text}>
      <summary>
        <Trans>Details</Trans>
      </summary>
      <p>
        <Trans>
          One request goes to the address that their email names, with the words{' '}
          <code>List-Unsubscribe=One-Click</code> and nothing else. The address tells them who you are.
        </Trans>
      </p>
      <ul>
        {senders.map(({ id, unsubscribe }) => (
          <li key={id}>
            <bdi>{unsubscribe?.host}</bdi>
          </li>
        ))}
      </ul>
    </details>
  </>
);

/** Senders that the user has to unsubscribe from by hand. */
const ByHand = ({ senders }: { senders: readonly UnsubscribableSender[] }) => (
  <>
    <p className={classes.text}>
      <Trans>Mailsweep cannot do this for you. The links come from an email: open only what you trust.</Trans>
    </p>
    <ul className={`${shapes.plainList} ${classes.hosts}`}>
      {senders.map(({ id, from, unsubscribe }) => (
        <li key={id}>
          <bdi>{parseSender(from).name}</bdi>
          {unsubscribe && <UnsubscribeLinks unsubscribe={unsubscribe} />}
        </li>
      ))}
    </ul>
  </>
);

/** Says exactly what will be sent to whom, and asks for confirmation. */
export const UnsubscribeDialog = ({ unsubscribing }: { unsubscribing: Unsubscribing }) => {
  const { question, cancel, send } = unsubscribing;
  // The words stay while the dialog closes.
  const last = useRef(question);
  if (question !== null) last.current = question;
  const { senders, archives } = question ?? last.current ?? { senders: [], archives: 0 };
  const offering = senders.filter(({ unsubscribe }) => canUnsubscribe(unsubscribe));
  const requests = offering.filter(takesRequest);
  const byHand = offering.filter((sender) => !takesRequest(sender));
  const others = senders.length - offering.length;
  return (
    <Dialog opened={question !== null} onClose={cancel} title={toTitle(offering)} closeLabel={t`Cancel`}>
      {requests.length > 0 && <Requests senders={requests} />}
      {byHand.length > 0 && <ByHand senders={byHand} />}
      {others > 0 && (
        <p className={classes.text}>
          {plural(others, {
            one: '# of the senders says nothing about it, or was asked already.',
            other: '# of the senders say nothing about it, or were asked already.',
          })}
        </p>
      )}
      {archives > 0 && (
        <p className={classes.text}>
          <Trans>
            Also archived: {countEmails(archives)} in the inbox, except protected ones. You can undo that, but
            not the unsubscribing.
          </Trans>
        </p>
      )}
      <DialogButtons onCancel={cancel} hasFocus>
        {offering.length > 0 && (
          <Button onClick={() => send(requests.length > 0 ? requests : offering)}>
            {requests.length > 0
              ? plural(requests.length, { one: 'Unsubscribe', other: 'Unsubscribe from # senders' })
              : t`Done`}
          </Button>
        )}
      </DialogButtons>
    </Dialog>
  );
};

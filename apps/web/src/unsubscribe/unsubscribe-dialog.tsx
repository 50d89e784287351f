import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { Unsubscribe } from '@mailsweep/contracts';
import { Button } from '@mantine/core';
import { IconExternalLink, IconMail } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../api/api-context.tsx';
import { Dialog, DialogButtons } from '../controls/dialog.tsx';
import { Verbatim } from '../controls/verbatim.tsx';
import { countEmails } from '../email/counts.ts';
import { parseSender } from '../email/sender/sender.ts';
import shapes from '../shapes.module.css';
import { Timestamp } from '../time/format-time.tsx';
import classes from './unsubscribe.module.css';
import {
  canUnsubscribe,
  describeState,
  describeUnsubscribeError,
  takesRequest,
  toEmailLink,
  toPageLink,
} from './unsubscribe-words.ts';
import { type UnsubscribableSender, type Unsubscribing, unsubscribeQuery } from './use-unsubscribe.ts';

/** Links for unsubscribing manually, with their targets. Loads nothing before a click. */
export const UnsubscribeLinks = ({ unsubscribe }: { unsubscribe: Unsubscribe }) => {
  const page = toPageLink(unsubscribe);
  const emailLink = toEmailLink(unsubscribe);
  return (
    <ul className={`${shapes.plainList} ${classes.ways}`}>
      {page && (
        <li>
          <a href={page.href} target="_blank" rel="noopener noreferrer" referrerPolicy="no-referrer">
            <IconExternalLink size={15} aria-hidden="true" />
            <span>
              <Trans>
                Open <Verbatim text={page.target} />
              </Trans>
            </span>
          </a>
        </li>
      )}
      {emailLink && (
        <li>
          <a href={emailLink.href} rel="noopener noreferrer">
            <IconMail size={15} aria-hidden="true" />
            <span>
              <Trans>
                Write to <Verbatim text={emailLink.target} />
              </Trans>
            </span>
          </a>
        </li>
      )}
    </ul>
  );
};

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
const Requests = (props: {
  senders: readonly UnsubscribableSender[];
  onChoose: (id: string, host: string) => void;
}) => (
  <>
    <p className={classes.text}>
      <Trans>Mailsweep asks them to stop sending you email. Most stop within a few days.</Trans>
    </p>
    <ul className={`${shapes.plainList} ${classes.hosts}`}>
      {props.senders.map(({ id, from, unsubscribe }) => (
        <li key={id}>
          <bdi>{parseSender(from).name}</bdi>
          {unsubscribe?.hosts && (
            <fieldset className={classes.choice}>
              <legend>
                <Trans>Emails of this sender name several addresses. Which one is asked?</Trans>
              </legend>
              {unsubscribe.hosts.map((host) => (
                <label key={host}>
                  <input
                    type="radio"
                    name={id}
                    checked={host === unsubscribe.host}
                    onChange={() => props.onChoose(id, host)}
                  />{' '}
                  <bdi>{host}</bdi>
                </label>
              ))}
            </fieldset>
          )}
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
        {props.senders.map(({ id, unsubscribe }) => (
          <li key={id}>
            <bdi>{unsubscribe?.host}</bdi>
          </li>
        ))}
      </ul>
    </details>
  </>
);

/** Senders to unsubscribe from manually. */
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
  const [chosen, setChosen] = useState<ReadonlyMap<string, string>>(new Map());
  if (!question) return null;
  const { senders, archives } = question;
  const offering = senders.filter(({ unsubscribe }) => canUnsubscribe(unsubscribe));
  const requests = offering.filter(takesRequest).map((sender) => {
    const host = chosen.get(sender.id);
    return sender.unsubscribe && host !== undefined && sender.unsubscribe.hosts?.includes(host)
      ? { ...sender, unsubscribe: { ...sender.unsubscribe, host } }
      : sender;
  });
  const byHand = offering.filter((sender) => !takesRequest(sender));
  const others = senders.length - offering.length;
  return (
    <Dialog onClose={cancel} title={toTitle(offering)}>
      {requests.length > 0 && (
        <Requests senders={requests} onChoose={(id, host) => setChosen(new Map([...chosen, [id, host]]))} />
      )}
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

const Explanation = ({ unsubscribe }: { unsubscribe: Unsubscribe }) => {
  const { state, error } = unsubscribe;
  if (state === 'still_sending') {
    return <Trans>This sender agreed to stop, and sent email more than ten days later.</Trans>;
  }
  if (state === 'manual') return <Trans>Mailsweep cannot do it for you:</Trans>;
  if (state === 'requested') return <Trans>Mailsweep asks the sender to stop.</Trans>;
  if (state === 'accepted') {
    return (
      <Trans>
        The sender accepted it <Timestamp value={unsubscribe.at ?? ''} style="ago" />.
      </Trans>
    );
  }
  return error === null ? null : describeUnsubscribeError(error);
};

export const UnsubscribePanel = (props: {
  sender: { id: string; from: string };
  /** From the list, until the response is here. */
  known?: Unsubscribe | null | undefined;
  onAsk: (sender: UnsubscribableSender) => void;
}) => {
  const { sender, onAsk } = props;
  const { data: unsubscribe } = useQuery({
    ...unsubscribeQuery(useApi().client, sender.id),
    placeholderData: props.known ?? undefined,
  });
  // Senders without a way are mostly private: hide the panel.
  if (!unsubscribe || (unsubscribe.method === null && unsubscribe.state === null)) return null;
  const { state, method } = unsubscribe;
  const ask = () => onAsk({ ...sender, unsubscribe });
  if (state === null) {
    return (
      <Button variant="default" size="compact-md" onClick={ask}>
        {method === 'manual' ? t`How to unsubscribe…` : t`Unsubscribe…`}
      </Button>
    );
  }
  const isOver = state === 'refused' || state === 'still_sending';
  return (
    <section className={classes.panel} aria-label={t`Unsubscribe`}>
      <p className={classes.state} role="status">
        {describeState(state, unsubscribe.error)}
      </p>
      <p className={classes.note}>
        <Explanation unsubscribe={unsubscribe} />
      </p>
      {(isOver || state === 'manual') && <UnsubscribeLinks unsubscribe={unsubscribe} />}
      {isOver && method === 'one_click' && (
        <span>
          <Button variant="default" size="compact-sm" onClick={ask}>
            <Trans>Try again…</Trans>
          </Button>
        </span>
      )}
    </section>
  );
};

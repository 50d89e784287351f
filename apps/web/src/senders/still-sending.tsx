import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { Rule, RuleAction, Sender } from '@mailsweep/contracts';
import { Button } from '@mantine/core';
import { IconMailOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useAccountPreferences } from '../account-preferences/account-preferences.ts';
import { useApi } from '../api/api-context.tsx';
import { readAllPages } from '../api/paged-list.ts';
import { SENDERS_KEY } from '../api/query-keys.ts';
import { countEmails, formatCount } from '../email/counts.ts';
import { parseSender } from '../email/sender/sender.ts';
import { SenderButton } from '../email/sender/sender-button.tsx';
import { EmptyState } from '../feedback/empty-state.tsx';
import { ErrorState } from '../feedback/error-state.tsx';
import { Skeleton } from '../feedback/skeleton.tsx';
import { showToast } from '../feedback/toasts.tsx';
import { describeRule } from '../rules/rule-words.ts';
import { isAbout, rulesQuery } from '../rules/rules-query.ts';
import classes from '../rules/rules-screen.module.css';
import { useRules } from '../rules/use-rules.ts';
import { WatchNotice } from '../rules/watch-notice.tsx';
import shapes from '../shapes.module.css';
import { ScreenHeader } from '../shell/navigation/screen-header.tsx';
import { Timestamp } from '../time/format-time.tsx';

const CLEARING: readonly RuleAction[] = ['archive', 'delete'];

/** A sender, and one click that deals with all its email; or the rule that does. */
const SenderCard = ({ sender, rules }: { sender: Sender; rules: readonly Rule[] | undefined }) => {
  const { create, takeBack } = useRules();
  const { name, address } = parseSender(sender.from);
  const rule = rules?.find((one) => one.enabled && CLEARING.includes(one.action) && isAbout(one, sender.id));
  const always = (action: 'archive' | 'delete') =>
    create.mutate(
      { condition: { type: 'sender', sender: sender.id }, olderThan: 0, action, enabled: true },
      {
        onSuccess: (created) =>
          showToast({
            title: t`Rule created`,
            detail: t`It runs while Mailsweep keeps watching for new email. Everything it does can be undone.`,
            tone: 'done',
            action: { label: t`Undo`, run: () => takeBack.mutate(created) },
          }),
      },
    );
  const toButton = (action: 'archive' | 'delete', words: string) => (
    <Button
      variant="default"
      size="compact-md"
      disabled={rules === undefined || create.isPending}
      aria-label={`${words}: ${name}`}
      onClick={() => always(action)}
    >
      {words}
    </Button>
  );
  return (
    <li className={classes.rule}>
      <h2 className={classes.name}>
        <SenderButton sender={{ senderId: sender.id, from: sender.from }} name={name}>
          <bdi>{name}</bdi>
        </SenderButton>
      </h2>
      <p className={classes.note}>
        {address !== name && (
          <>
            <bdi>{address}</bdi>
            {' · '}
          </>
        )}
        {countEmails(sender.mails)} · <Timestamp value={sender.lastSeen} style="ago" />
      </p>
      <div className={classes.buttons}>
        {rule ? (
          <Button
            variant="subtle"
            size="compact-md"
            className={shapes.longButton}
            renderRoot={(props) => <Link {...props} to="/rules" search={{}} />}
          >
            {describeRule(rule)}
          </Button>
        ) : sender.protected ? (
          t`Protected`
        ) : (
          <>
            {toButton('archive', t`Always archive`)}
            {toButton('delete', t`Always move to Trash`)}
          </>
        )}
      </div>
    </li>
  );
};

/** Senders who accepted a request to unsubscribe and send on. */
export const StillSending = () => {
  const { client } = useApi();
  const {
    data: senders,
    error,
    refetch,
  } = useQuery({
    queryKey: [...SENDERS_KEY, 'still-sending'],
    queryFn: ({ signal }) =>
      readAllPages((page) =>
        client.listSenders({ query: { ...page, sort: 'lastSeen', unsubscribe: 'still_sending' }, signal }),
      ),
  });
  const { data: rules } = useQuery(rulesQuery(client));
  // The notice of the watch stands above the list.
  const { isPending } = useAccountPreferences();
  const isShown = senders !== undefined && !isPending;
  return (
    <div className={classes.screen}>
      <ScreenHeader title={t`Still sending`} note={senders ? formatCount(senders.length) : ' '}>
        <Button variant="subtle" renderRoot={(props) => <Link {...props} to="/senders" search={{}} />}>
          <Trans>Show everyone</Trans>
        </Button>
      </ScreenHeader>
      <div className={classes.body}>
        {error && !senders && <ErrorState error={error} onRetry={() => void refetch()} />}
        {!isShown && !error && <Skeleton height={140} />}
        {isShown && senders.length === 0 && (
          <EmptyState icon={<IconMailOff size={28} />} title={t`Nobody still sends`}>
            {t`No sender that you unsubscribed from has sent email more than ten days later.`}
          </EmptyState>
        )}
        {isShown && senders.length > 0 && (
          <>
            <WatchNotice />
            <p>
              {t`These senders agreed to stop, and sent email more than ten days later. One click makes a rule for all their email, what is here and what comes, except protected email.`}
            </p>
            <ul className={`${shapes.plainList} ${classes.rules}`}>
              {senders.map((sender) => (
                <SenderCard key={sender.id} sender={sender} rules={rules} />
              ))}
            </ul>
          </>
        )}
      </div>
    </div>
  );
};

import { i18n } from '@lingui/core';
import { msg, plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { CleanupPlan, CreateRuleRequest, SenderDetails } from '@mailsweep/contracts';
import { Button } from '@mantine/core';
import { IconCheck, IconMailOff, IconTag } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { describeExclusions } from '../cleanup/plan/cleanup-words.ts';
import { PlanDialog } from '../cleanup/plan/plan-dialog.tsx';
import { usePlannedCleanup } from '../cleanup/use-planned-cleanup.ts';
import { LabelField } from '../controls/label-field.tsx';
import { countEmails, formatCount } from '../email/counts.ts';
import { EMAIL_ACTIONS } from '../email/email-actions.ts';
import { parseSender } from '../email/sender/sender.ts';
import { showToast } from '../feedback/toasts.tsx';
import { ShieldButton } from '../protection/shield-button.tsx';
import { useRules } from '../rules/use-rules.ts';
import { UnsubscribeDialog } from '../unsubscribe/unsubscribe-dialog.tsx';
import { UnsubscribePanel } from '../unsubscribe/unsubscribe-panel.tsx';
import { takesRequest } from '../unsubscribe/unsubscribe-words.ts';
import { useUnsubscribe } from '../unsubscribe/use-unsubscribe.ts';
import classes from './sender-sheet.module.css';

const ACTIONS = {
  archive: EMAIL_ACTIONS.archive,
  delete: EMAIL_ACTIONS.delete,
  mark_read: EMAIL_ACTIONS.mark_read,
  label: { name: msg`Label`, icon: IconTag },
} as const;
type SheetAction = keyof typeof ACTIONS;

/** Whether what is done now is done to future email, too; nothing can be ticked before its preview is shown. */
const AlsoFuture = (props: {
  name: string;
  isWhole: boolean;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
}) => (
  <label className={classes.also}>
    <input
      type="checkbox"
      checked={props.isOn && props.isWhole}
      disabled={!props.isWhole}
      onChange={({ currentTarget }) => props.onChange(currentTarget.checked)}
    />
    <span>
      <Trans>
        Also future email from <bdi>{props.name}</bdi>
      </Trans>
      <small>
        {props.isWhole
          ? t`A rule does the same to every new email. You can end it at any time.`
          : t`A rule cannot leave out single emails: tick all of them first.`}
      </small>
    </span>
  </label>
);

/** Everything that can be done about a sender, with the number of emails that each would take. */
export const SenderActions = (props: {
  sender: SenderDetails;
  /** Called when a question lies above the sheet, and when it is gone. */
  onAsking?: (isAsking: boolean) => void;
}) => {
  const { sender, onAsking } = props;
  const { id, from, takes } = sender;
  const { name } = parseSender(from);
  const cleanup = usePlannedCleanup();
  const unsubscribing = useUnsubscribe();
  const { create } = useRules();
  const navigate = useNavigate();
  const [label, setLabel] = useState<string>();
  const [isAlso, setAlso] = useState(false);
  const isAsking = cleanup.question !== null || unsubscribing.question !== null;
  useEffect(() => onAsking?.(isAsking), [isAsking, onAsking]);

  const start = (action: SheetAction | 'accept', count: number, asksFirst = true) => {
    setAlso(false);
    cleanup.start({
      request: {
        action,
        ...(action === 'label' && { label: label?.trim() }),
        selection: { type: 'senders', senders: [id], except: [] },
      },
      count,
      asksFirst,
    });
  };
  const run = (plan: CleanupPlan) => {
    const { action, label: planned, selection } = plan;
    cleanup.runPlan(plan);
    setLabel(undefined);
    if (!isAlso || selection.except.length > 0 || !Object.hasOwn(ACTIONS, action)) return;
    const rule: CreateRuleRequest = {
      condition: { type: 'sender', sender: id },
      action: action as SheetAction,
      ...(planned !== null && { label: planned }),
      olderThan: 0,
      enabled: true,
    };
    create.mutate(rule, {
      onSuccess: () =>
        showToast({
          title: t`Rule created`,
          detail: t`It runs while Mailsweep keeps watching for new email. Everything it does can be undone.`,
          tone: 'done',
          action: { label: t`View rules`, run: () => void navigate({ to: '/rules', search: {} }) },
        }),
    });
  };
  const excluded = describeExclusions(sender.excluded);
  return (
    <div className={classes.sheet}>
      <div className={classes.row}>
        <ShieldButton sender={{ id, from }} isProtected={sender.protected} />
        <UnsubscribePanel
          sender={{ id, from }}
          known={sender.unsubscribe}
          onAsk={(asked) => unsubscribing.ask({ senders: [asked], archives: 0 })}
        />
        {takesRequest(sender) && takes.archive > 0 && (
          <Button
            variant="default"
            size="compact-md"
            leftSection={<IconMailOff size={16} aria-hidden="true" />}
            onClick={() =>
              unsubscribing.ask({
                senders: [sender],
                archives: takes.archive,
                onYes: () => start('archive', takes.archive, false),
              })
            }
          >
            {t`Unsubscribe and archive ${formatCount(takes.archive)}`}
          </Button>
        )}
      </div>
      {sender.suggested > 0 && !sender.protected && (
        <Button
          leftSection={<IconCheck size={17} aria-hidden="true" />}
          onClick={() => start('accept', sender.suggested)}
        >
          {plural(sender.suggested, { one: 'Accept # suggestion', other: 'Accept # suggestions' })}
        </Button>
      )}
      <div className={classes.actions}>
        {(Object.keys(ACTIONS) as SheetAction[]).map((action) => {
          const { name: words, icon: Icon } = ACTIONS[action];
          return (
            <Button
              key={action}
              variant="default"
              disabled={takes[action] === 0}
              leftSection={<Icon size={17} aria-hidden="true" />}
              {...(action === 'label' && { 'aria-expanded': label !== undefined })}
              onClick={() =>
                action === 'label'
                  ? setLabel(label === undefined ? '' : undefined)
                  : start(action, takes[action])
              }
            >
              {i18n._(words)} <span className={classes.count}>{countEmails(takes[action])}</span>
            </Button>
          );
        })}
      </div>
      {label !== undefined && (
        <form
          className={classes.label}
          onSubmit={(event) => {
            event.preventDefault();
            if (label.trim() !== '') start('label', takes.label);
          }}
        >
          <LabelField value={label} onChange={setLabel} />
          <Button type="submit" disabled={label.trim() === ''}>
            {t`Label ${countEmails(takes.label)}`}
          </Button>
        </form>
      )}
      {sender.protected ? (
        <p className={classes.note}>
          <Trans>
            This sender is protected, so nothing is done to all of its email. You can still act on single
            emails.
          </Trans>
        </p>
      ) : (
        excluded !== '' && <p className={classes.note}>{excluded}</p>
      )}
      <PlanDialog question={cleanup.question} onClose={cleanup.cancel} onYes={run}>
        {(isWhole) =>
          cleanup.question?.request.action !== 'accept' && (
            <AlsoFuture name={name} isWhole={isWhole} isOn={isAlso} onChange={setAlso} />
          )
        }
      </PlanDialog>
      <UnsubscribeDialog unsubscribing={unsubscribing} />
    </div>
  );
};

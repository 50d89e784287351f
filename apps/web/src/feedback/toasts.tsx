import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { randomId } from '@mantine/hooks';
import { notifications, notificationsStore } from '@mantine/notifications';
import type { ReactNode } from 'react';
import { describeError } from '../api/errors.ts';
import classes from './toasts.module.css';

/** With an undo. Unit: milliseconds. */
const TOAST_MS = 8_000;
/** Failures have more to read. Unit: milliseconds. */
const FAILURE_TOAST_MS = 14_000;

export interface ToastAction {
  label: string;
  keyCap?: string;
  /** Keeps the toast for what the action leads to. */
  isKeptOpen?: boolean;
  run: () => void;
}

/** One line, and a second one if part of it failed. */
export interface ToastContent {
  title: string;
  detail?: ReactNode;
  tone: 'done' | 'working' | 'failed';
  action?: ToastAction;
  /** Stays until it is dismissed. */
  isLasting?: boolean;
}

const COLORS = { done: 'sweep', working: 'sweep', failed: 'red' } as const;

const toNotification = (id: string, content: ToastContent) => ({
  id,
  color: COLORS[content.tone],
  loading: content.tone === 'working',
  withBorder: true,
  autoClose:
    content.tone === 'working' || content.isLasting
      ? (false as const)
      : content.tone === 'failed'
        ? FAILURE_TOAST_MS
        : TOAST_MS,
  closeButtonProps: { 'aria-label': t`Dismiss` },
  message: (
    <div className={classes.toast}>
      <div className={classes.words}>
        <div className={classes.title}>{content.title}</div>
        {content.detail && <div className={classes.detail}>{content.detail}</div>}
      </div>
      {content.action && (
        <Button
          size="compact-sm"
          variant="light"
          className={classes.action}
          onClick={() => {
            if (!content.action?.isKeptOpen) notifications.hide(id);
            content.action?.run();
          }}
        >
          {content.action.label}
          {content.action.keyCap && <kbd className={classes.key}>{content.action.keyCap}</kbd>}
        </Button>
      )}
    </div>
  ),
});

/** @returns its id, for `updateToast` and `hideToast` */
export const showToast = (content: ToastContent): string =>
  notifications.show(toNotification(randomId('toast-'), content));

/** Changes a toast; a closed one reopens only for an error. */
export const updateToast = (id: string, content: ToastContent): void => {
  const { notifications: shown, queue } = notificationsStore.getState();
  if ([...shown, ...queue].some((toast) => toast.id === id))
    notifications.update(toNotification(id, content));
  else if (content.tone === 'failed') showToast(content);
};

/**
 * Describes an error with advice.
 *
 * @param toTitle - names what failed; by default the title is the reason alone
 */
export const toFailure = (error: unknown, toTitle = (reason: string): string => reason): ToastContent => {
  const { title, advice } = describeError(error);
  return { title: toTitle(title), detail: advice, tone: 'failed' };
};

export const sayUnchanged = (error: unknown): void =>
  void showToast(toFailure(error, (reason) => t`Nothing was changed: ${{ reason }}`));

export const hideToast = (id: string): void => {
  notifications.hide(id);
};

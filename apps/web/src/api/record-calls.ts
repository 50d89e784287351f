import {
  LIST_ACTION_HISTORY_CALL,
  LIST_NOTIFICATION_EVENTS_CALL,
  SUMMARIZE_NOTIFICATIONS_CALL,
} from '@mailsweep/contracts';
import type { Calls } from './route-contracts.ts';

/** What the history and the activity begin with. */
export const RECORD_CALLS: Calls = {
  listActionHistory: LIST_ACTION_HISTORY_CALL,
  listNotificationEvents: LIST_NOTIFICATION_EVENTS_CALL,
  summarizeNotifications: SUMMARIZE_NOTIFICATIONS_CALL,
};

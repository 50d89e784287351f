import type { NotificationPreferences, UpdateNotificationPreferences } from '@mailsweep/contracts';

/** What a part of the notifications shows, and how it changes. */
export interface NotificationChoiceProps {
  notifications: NotificationPreferences;
  isLoading: boolean;
  onChange: (changes: UpdateNotificationPreferences) => void;
}

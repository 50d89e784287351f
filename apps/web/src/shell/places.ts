import {
  IconActivity,
  IconHistory,
  IconInbox,
  IconSettings,
  IconSparkles,
  IconUsers,
} from '@tabler/icons-react';

/** The screens, in the order of the navigation, with the second key of their `g` shortcut. */
export const PLACES = [
  { to: '/inbox', name: 'Inbox', key: 'i', icon: IconInbox },
  { to: '/suggestions', name: 'Suggestions', key: 's', icon: IconSparkles },
  { to: '/senders', name: 'Senders', key: 'e', icon: IconUsers },
  { to: '/history', name: 'History', key: 'h', icon: IconHistory },
  { to: '/activity', name: 'Activity', key: 'a', icon: IconActivity },
  { to: '/settings', name: 'Settings', key: ',', icon: IconSettings },
] as const;

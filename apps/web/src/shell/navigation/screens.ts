import { msg } from '@lingui/core/macro';
import {
  IconActivity,
  IconHistory,
  IconHome,
  IconInbox,
  IconSettings,
  IconSparkles,
  IconUsers,
} from '@tabler/icons-react';

/** The screens, in the order of the navigation, with the second key of their `g` shortcut. */
export const SCREENS = [
  { to: '/', name: msg`Home`, key: 'o', icon: IconHome },
  { to: '/inbox', name: msg`Inbox`, key: 'i', icon: IconInbox },
  { to: '/suggestions', name: msg`Suggestions`, key: 's', icon: IconSparkles },
  { to: '/senders', name: msg`Senders`, key: 'e', icon: IconUsers },
  { to: '/history', name: msg`History`, key: 'h', icon: IconHistory },
  { to: '/activity', name: msg`Activity`, key: 'a', icon: IconActivity },
  { to: '/settings', name: msg`Settings`, key: ',', icon: IconSettings },
] as const;

/** The screens that others lead to. */
export const SECONDARY_SCREENS = [
  { to: '/rules', name: msg`Rules` },
  { to: '/precision', name: msg`Precision` },
] as const;

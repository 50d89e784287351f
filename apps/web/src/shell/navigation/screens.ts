import { msg } from '@lingui/core/macro';
import {
  IconActivity,
  IconHistory,
  IconHome,
  IconInbox,
  IconRepeat,
  IconSettings,
  IconSparkles,
  IconUsers,
} from '@tabler/icons-react';

/** The screens of the navigation, in its order, with the second key of their `g` shortcut. */
export const SCREENS = [
  { to: '/', name: msg`Home`, key: 'o', icon: IconHome },
  { to: '/inbox', name: msg`Inbox`, key: 'i', icon: IconInbox },
  { to: '/suggestions', name: msg`Suggestions`, key: 's', icon: IconSparkles },
  { to: '/senders', name: msg`Senders`, key: 'e', icon: IconUsers },
  { to: '/history', name: msg`History`, key: 'h', icon: IconHistory },
  { to: '/rules', name: msg`Rules`, key: 'r', icon: IconRepeat },
  { to: '/activity', name: msg`Activity`, key: 'a', icon: IconActivity },
  { to: '/settings', name: msg`Settings`, key: ',', icon: IconSettings },
] as const;

/** Screens that are tabs on a phone; there the others are behind "More". */
export const TAB_COUNT = 4;

/** Every screen: also the one that only others, and the keyboard, lead to. */
export const ALL_SCREENS = [...SCREENS, { to: '/precision', name: msg`Precision`, key: 'p' }] as const;

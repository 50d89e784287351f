import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { hasWords, toWords } from '@mailsweep/contracts';
/** Headings of the command palette, in its order. */
export const COMMAND_GROUPS = ['Commands', 'Search', 'Senders', 'Emails'] as const;

/** What the headings say. */
export const COMMAND_GROUP_NAMES: Record<(typeof COMMAND_GROUPS)[number], MessageDescriptor> = {
  Commands: msg`Commands`,
  Search: msg`Search`,
  Senders: msg`Senders`,
  Emails: msg`Emails`,
};

/** One line of the command palette. */
export interface Command {
  /** Of all lines; the name alone where left out. */
  key?: string;
  group: (typeof COMMAND_GROUPS)[number];
  name: string;
  /** What tells it from others of the same name. */
  detail?: string;
  keys?: string | undefined;
  run: () => void;
}

export const toKey = ({ group, name, key = name }: Command): string => `${group} ${key}`;

/** The commands that have every typed word in their name, in any order. */
export const filterCommands = (commands: readonly Command[], text: string): Command[] => {
  const words = toWords(text);
  return commands.filter((command) => hasWords(command.name, words));
};

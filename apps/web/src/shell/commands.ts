/** One line of the command palette. */
export interface Command {
  name: string;
  keys?: string | undefined;
  run: () => void;
}

/** The commands that have every typed word in their name, in any order. */
export const filterCommands = (commands: readonly Command[], words: string): Command[] => {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return commands.filter((command) => wanted.every((word) => command.name.toLowerCase().includes(word)));
};

import { Argument, type Command, type Option } from 'commander';
import type { Context } from '../context.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

/** What can follow some words: subcommands, values of arguments, and options. */
interface Place {
  /** The commands before, without the program: `rules on`. */
  path: string;
  words: { text: string; description: string }[];
}

const isShown = ({ hidden }: Option): boolean => !hidden;

const listOptions = (command: Command): Place['words'] =>
  command.options.filter(isShown).map(({ long, short, description }) => ({
    text: long ?? short ?? '',
    description,
  }));

/** Each place of the program, from its commands as they are. */
const listPlaces = (command: Command, common: Place['words'], path = ''): Place[] => {
  const commands = command.commands.map((sub) => ({ text: sub.name(), description: sub.description() }));
  const values = command.registeredArguments.flatMap(({ argChoices = [] }) =>
    argChoices.map((text) => ({ text, description: '' })),
  );
  const own = path === '' ? [] : listOptions(command);
  return [
    { path, words: [...commands, ...values, ...own, ...common] },
    ...command.commands.flatMap((sub) => listPlaces(sub, common, `${path} ${sub.name()}`.trim())),
  ];
};

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The commands before the cursor are its words that are no options. */
const toBash = (places: Place[]): string => `_mailsweep() {
  local path='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) ;; *) path="\${path:+$path }$word" ;; esac
  done
  local words=''
  case "$path" in
${places.map(({ path, words }) => `    ${quote(path)}) words=${quote(words.map(({ text }) => text).join(' '))} ;;`).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _mailsweep mailsweep
`;

const toZshWord = ({ text, description }: Place['words'][number]): string =>
  quote(description === '' ? text : `${text}:${description.replaceAll(':', '\\:')}`);

const toZsh = (places: Place[]): string => `#compdef mailsweep
_mailsweep() {
  local place='' word
  local -a found
  for word in "\${words[@]:1:CURRENT-2}"; do
    case "$word" in -*) ;; *) place="\${place:+$place }$word" ;; esac
  done
  case "$place" in
${places.map(({ path, words }) => `    ${quote(path)}) found=(${words.map(toZshWord).join(' ')}) ;;`).join('\n')}
  esac
  _describe 'mailsweep' found || _files
}
if [ "$funcstack[1]" = '_mailsweep' ]; then _mailsweep "$@"; else compdef _mailsweep mailsweep; fi
`;

const toFish = (places: Place[]): string => `function __mailsweep_at
  set -l path
  for word in (commandline -opc)[2..-1]
    string match -q -- '-*' $word; or set -a path $word
  end
  test "$path" = "$argv[1]"
end
${places
  .flatMap(({ path, words }) =>
    words.map(
      ({ text, description }) =>
        `complete -c mailsweep -f -n ${quote(`__mailsweep_at ${quote(path)}`)} -a ${quote(text)} -d ${quote(description)}`,
    ),
  )
  .join('\n')}
`;

const SCRIPTS: Record<Shell, (places: Place[]) => string> = { bash: toBash, zsh: toZsh, fish: toFish };

const printScript = ({ output, terminal }: Context, program: Command, shell: Shell): void => {
  const script = SCRIPTS[shell](listPlaces(program, listOptions(program)));
  if (output.isJson) output.document({ shell, script });
  // It is a program of ours, which has to keep its lines.
  else terminal.stdout.write(script);
};

export const addCompletion = (program: Command, context: Context): void => {
  program
    .command('completion')
    .description('print what completes commands and options in a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .action((shell: Shell) => printScript(context, program, shell));
};

import type { Command } from 'commander';
import { type Context, connect } from '../context.ts';
import { countOf, toNumber, toTime } from '../output/text.ts';
import { describeWatch } from './home.ts';

const show = async (context: Context): Promise<void> => {
  const { output, terminal } = context;
  const { client } = await connect(context);
  const watch = await client.getWatch({ signal: terminal.signal });
  if (output.isJson) return output.document(watch);
  output.line(describeWatch(watch));
  const { total } = watch;
  if (total)
    output.line(
      `Since ${toTime(total.since)}: ${countOf(total.newEmails, 'new email')}, ${toNumber(total.suggested)} with suggestions.`,
    );
};

const turn = async (context: Context, enabled: boolean): Promise<void> => {
  const { client } = await connect(context);
  await client.updatePreferences({ body: { watch: { enabled } }, signal: context.terminal.signal });
  await show(context);
};

export const addWatch = (program: Command, context: Context): void => {
  const watch = program.command('watch').description('look for new email in the background, or stop it');
  watch
    .command('status', { isDefault: true })
    .description('show whether it runs, and what it found')
    .action(() => show(context));
  watch
    .command('on')
    .description('turn it on; rules run with it')
    .action(() => turn(context, true));
  watch
    .command('off')
    .description('turn it off')
    .action(() => turn(context, false));
};

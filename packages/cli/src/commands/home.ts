import type { Scan, SuggestionGroup, Watch } from '@mailsweep/client';
import type { Command } from 'commander';
import { type Context, connect } from '../context.ts';
import { countOf, toNumber, toSize, toTime } from '../output/text.ts';
import { describeActions, describeFault } from './parts/words.ts';

const GROUPS_SHOWN = 5;
/** The largest page: there are fewer classifications. */
const ALL_GROUPS = 100;

const describeScan = (scan: Scan | null): string => {
  if (scan === null) return 'The mailbox was never scanned. Start with: mailsweep scan';
  if (scan.finishedAt === null)
    return `A scan is in progress: ${toNumber(scan.scanned)} of ${countOf(scan.total, 'email')}. Follow it with: mailsweep scan`;
  return `The last scan ${scan.state === 'completed' ? 'was completed' : `ended (${scan.state})`} on ${toTime(scan.finishedAt)}.`;
};

const describeWatch = ({ state, error, nextRunAt }: Watch): string => {
  if (state === 'off') return 'The watch for new email is off.';
  if (state === 'active')
    return `The watch looks for new email${nextRunAt ? `, next at ${toTime(nextRunAt)}` : ''}.`;
  return `The watch does not run now: ${describeFault(error ?? (state === 'reconnect_required' ? 'reauth_required' : state))}.`;
};

const toRow = (group: SuggestionGroup): string[] => [
  group.classification ?? group.key,
  toNumber(group.emails),
  toSize(group.sizeBytes),
  describeActions(group.actions),
  group.newestFrom,
];

const showHome = async (context: Context): Promise<void> => {
  const { output, terminal } = context;
  const { signal } = terminal;
  const { client } = await connect(context);
  const [mailbox, scans, suggestions, activity, watch] = await Promise.all([
    client.getMailboxOverview({ signal }),
    client.listScans({ query: { perPage: 1 }, signal }),
    client.listSuggestionGroups({ query: { by: 'classification', perPage: ALL_GROUPS }, signal }),
    client.getActivity({ signal }),
    client.getWatch({ signal }),
  ]);
  const scan = scans.data[0] ?? null;
  const { cleaned } = activity;
  if (output.isJson) {
    const { page: _page, perPage: _perPage, ...groups } = suggestions;
    return output.document({ mailbox, scan, suggestions: groups, cleaned, watch });
  }
  const { total, unread } = mailbox.inbox;
  output.line(
    { text: `${countOf(total, 'email')} in the inbox`, style: 'bold' },
    `, ${toNumber(unread)} unread.`,
  );
  output.line(describeScan(scan));
  output.line(describeWatch(watch));
  if (suggestions.emails === 0) output.line('Nothing is suggested.');
  else {
    const { sure, likely, check } = suggestions.confidence;
    output.line(
      `${countOf(suggestions.emails, 'email')} can be cleaned up: ${toNumber(sure)} sure, ${toNumber(likely)} likely, ${toNumber(check)} to check. Go through them with: mailsweep review`,
    );
    output.table(
      ['CLASSIFICATION', 'EMAILS', 'SIZE', 'SUGGESTED', 'FOR EXAMPLE FROM'],
      suggestions.data.slice(0, GROUPS_SHOWN).map(toRow),
    );
  }
  output.line(
    `Cleaned so far: ${countOf(cleaned.emails, 'email')} of ${countOf(cleaned.senders, 'sender')}, ${toSize(cleaned.bytes)} moved to the trash.`,
  );
};

export const addHome = (program: Command, context: Context): void => {
  program
    .command('home')
    .description('show how the mailbox is: emails, scan, watch, what can be cleaned up, and what was')
    .action(() => showHome(context));
};

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

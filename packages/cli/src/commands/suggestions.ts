import type { SuggestionGroup } from '@mailsweep/client';
import type { Command } from 'commander';
import { type Context, connect } from '../context.ts';
import { countOf, toNumber, toSize } from '../output/text.ts';
import { addGroupOptions, type GroupOptions } from './parts/group-options.ts';
import { listUpTo } from './parts/listing.ts';
import { noteScan } from './parts/note-scan.ts';
import { describeActions } from './parts/words.ts';

const toRow = (group: SuggestionGroup): string[] => [
  group.from ?? group.classification ?? group.key,
  toNumber(group.emails),
  toSize(group.sizeBytes),
  describeActions(group.actions),
  `${Math.round(group.leastAcceptance * 100)} %`,
];

const listSuggestions = async (context: Context, { limit, ...query }: GroupOptions): Promise<void> => {
  const { output, terminal } = context;
  const { client } = await connect(context);
  const groups = await listUpTo(
    (request) => client.listSuggestionGroups({ ...request, signal: terminal.signal }),
    query,
    limit,
  );
  if (output.isJson) return output.document(groups);
  const { sure, likely, check } = groups.confidence;
  output.line(
    `${countOf(groups.emails, 'email')} with suggestions in ${countOf(groups.total, 'group')}; by how likely you accept them: ${toNumber(sure)} sure, ${toNumber(likely)} likely, ${toNumber(check)} to check.`,
  );
  if (groups.data.length > 0)
    output.table(
      [query.by === 'sender' ? 'SENDER' : 'CLASSIFICATION', 'EMAILS', 'SIZE', 'SUGGESTED', 'ACCEPTED FROM'],
      groups.data.map(toRow),
    );
  noteScan(output, groups);
};

export const addSuggestions = (program: Command, context: Context): void => {
  const command = program.command('suggestions').description('list what is suggested, in groups');
  addGroupOptions(command).action((options: GroupOptions) => listSuggestions(context, options));
};

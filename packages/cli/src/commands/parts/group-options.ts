import { type Command, Option } from 'commander';
import { probability } from '../../input/parse.ts';
import { limitOption } from './listing.ts';

/** Which groups of suggestions a command takes. */
export interface GroupOptions {
  by: 'sender' | 'classification';
  minAcceptance?: number;
  minConfidence?: number;
  limit: number;
}

export const addGroupOptions = (command: Command): Command =>
  command
    .addOption(
      new Option('--by <grouping>', 'what to group by')
        .choices(['sender', 'classification'])
        .default('sender'),
    )
    .option('--min-acceptance <p>', 'only what you accept with at least this probability', probability)
    .option('--min-confidence <p>', 'only what the classification is at least this sure of', probability)
    .addOption(limitOption());

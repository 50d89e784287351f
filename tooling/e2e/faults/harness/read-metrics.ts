import { ask } from './ask.ts';
import type { Member } from './fault-stack.ts';

/** A metric's value, summed up over its labels; 0 for one that is not there. */
export type Metrics = (name: string) => number;

/** Reads what a process tells its operators; the event loop's figures are those since the reading before. */
export const readMetrics = async (member: Member): Promise<Metrics> => {
  const { status, text } = await ask(`${member.operationsUrl}/metrics`);
  if (status !== 200) throw new Error(`${member.name} responded with ${status} when asked for its metrics`);
  const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return (name) =>
    samples
      .filter((line) => line.startsWith(`${name}{`))
      .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
};

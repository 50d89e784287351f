import type { Chunk } from '@mailsweep/service-kit/testing';
import type { LinkName, Member } from './fault-stack.ts';

/** One thing that a process sent or was about to hear. */
export interface Exchange {
  link: LinkName;
  direction: Chunk['direction'];
  /** Whether it tells that something was changed for good: the most is at stake between it and the next one. */
  isLasting: boolean;
}

/** The end of what Postgres says while no transaction is open (ReadyForQuery). */
const IDLE = Buffer.from('5a0000000549', 'hex');
/** What it says of a change before that (CommandComplete). */
const CHANGED = /(COMMIT|INSERT 0 \d+|UPDATE \d+|DELETE \d+)$/;

const isDone = (bytes: Buffer): boolean =>
  bytes.subarray(-IDLE.length).equals(IDLE) &&
  CHANGED.test(bytes.subarray(-40, -IDLE.length - 1).toString('latin1'));

const toExchange = (link: LinkName, { direction, bytes }: Chunk): Exchange => ({
  link,
  direction,
  isLasting: direction === 'down' && (link !== 'postgres' || isDone(bytes)),
});

/** Notes what a process exchanges on some of its links; the returned function ends it and returns the notes. */
export const recordExchanges = (member: Member, links: readonly LinkName[]): (() => Exchange[]) => {
  const exchanges: Exchange[] = [];
  for (const link of links) {
    member.links[link].onChunk((chunk) => void exchanges.push(toExchange(link, chunk)));
  }
  return () => {
    for (const link of links) member.links[link].onChunk(undefined);
    return exchanges;
  };
};

/** When to kill a process: at an exchange, counted from 1, or at the first one after so many lasting changes. */
export type KillPoint = { exchange: number } | { afterChanges: number };

/** So many numbers from 1 to `last`, evenly spread, both ends among them. */
const spread = (count: number, last: number): number[] =>
  Array.from({ length: count }, (_, index) => 1 + Math.round((index * (last - 1)) / Math.max(1, count - 1)));

/**
 * Points at which to kill a process: right after lasting changes, each of them where there are enough points, and
 * others spread over all exchanges. Changes are counted for themselves: how many exchanges come before one differs from
 * run to run, by what is asked in the background.
 *
 * @param exchanges - those of a run that nothing broke
 * @param count - how many points, at least four
 */
export const choosePoints = (exchanges: readonly Exchange[], count: number): KillPoint[] => {
  const changes = exchanges.filter(({ isLasting }) => isLasting).length;
  const changePoints = Math.min(changes, count - 2);
  return [
    ...spread(changePoints, changes).map((afterChanges) => ({ afterChanges })),
    ...spread(count - changePoints, exchanges.length).map((exchange) => ({ exchange })),
  ];
};

/**
 * Kills a process at a point from now on, on these links: before what it sends arrives (`up`), or after the other
 * side acted and before the process hears of it (`down`). The links are healed and the process is gone when the
 * promise settles.
 */
export const killAtPoint = (
  member: Member,
  links: readonly LinkName[],
  point: KillPoint,
): Promise<Exchange> =>
  new Promise((resolve) => {
    let exchanges = 0;
    let changes = 0;
    const isReached = ({ isLasting }: Exchange): boolean => {
      exchanges += 1;
      if ('exchange' in point) return exchanges === point.exchange;
      if (changes === point.afterChanges) return true;
      if (isLasting) changes += 1;
      return false;
    };
    for (const link of links) {
      member.links[link].onChunk((chunk) => {
        const exchange = toExchange(link, chunk);
        if (!isReached(exchange)) return;
        const gone = member.kill();
        for (const watched of links) {
          member.links[watched].onChunk(undefined);
          member.links[watched].freeze();
        }
        void gone.then(() => {
          for (const watched of links) member.links[watched].heal();
          resolve(exchange);
        });
      });
    }
  });

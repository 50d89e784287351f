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

/** Notes what a process exchanges on some of its links; the returned function ends it and answers the notes. */
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

/**
 * Points at which to kill a process: right after each lasting change, and others spread over all exchanges, the
 * first and the last among them. Changes are counted for themselves: how many exchanges come before one differs from
 * run to run, by what is asked in the background.
 *
 * @param exchanges - those of a run that nothing broke
 * @param count - how many points; not fewer than there are lasting changes, and two
 */
export const choosePoints = (exchanges: readonly Exchange[], count: number): KillPoint[] => {
  const changes = exchanges.filter(({ isLasting }) => isLasting);
  const others = count - changes.length;
  if (others < 2) throw new Error(`${changes.length} lasting changes and ${count} points`);
  const spread = Array.from({ length: others }, (_, index) => ({
    exchange: 1 + Math.round((index * (exchanges.length - 1)) / (others - 1)),
  }));
  return [...changes.map((_change, index) => ({ afterChanges: index + 1 })), ...spread];
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

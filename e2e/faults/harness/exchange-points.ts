import type { Chunk } from '@mailsweep/service-kit/testing';
import type { LinkName, Member } from './fault-stack.ts';

/** One thing that a process sent or was about to hear. */
export interface Exchange {
  link: LinkName;
  direction: Chunk['direction'];
}

/** Notes what a process exchanges on some of its links; the returned function ends it and answers the notes. */
export const recordExchanges = (member: Member, links: readonly LinkName[]): (() => Exchange[]) => {
  const exchanges: Exchange[] = [];
  for (const link of links) {
    member.links[link].onChunk(({ direction }) => void exchanges.push({ link, direction }));
  }
  return () => {
    for (const link of links) member.links[link].onChunk(undefined);
    return exchanges;
  };
};

/**
 * Kills a process at its k-th exchange from now on these links, counted from 1: before what it sends arrives (`up`), or after
 * the other side acted and before the process hears of it (`down`). The links are healed and the process is
 * gone when the promise settles.
 */
export const killAtExchange = (member: Member, links: readonly LinkName[], k: number): Promise<Exchange> =>
  new Promise((resolve) => {
    let count = 0;
    for (const link of links) {
      member.links[link].onChunk(({ direction }) => {
        count += 1;
        if (count !== k) return;
        const gone = member.kill();
        for (const watched of links) {
          member.links[watched].onChunk(undefined);
          member.links[watched].freeze();
        }
        void gone.then(() => {
          for (const watched of links) member.links[watched].heal();
          resolve({ link, direction });
        });
      });
    }
  });

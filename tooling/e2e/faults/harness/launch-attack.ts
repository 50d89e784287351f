import { fork } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { type AttackCounts, type AttackMessage, STOP } from './attackers/attacker-process.ts';
import type { FloodOptions } from './attackers/flood.ts';
import type { HoldConnectionsOptions } from './attackers/hold-connections.ts';
import type { RepeatRequestsOptions } from './attackers/repeat-requests.ts';
import type { ToggleScansOptions } from './attackers/toggle-scans.ts';

interface AttackOptions {
  flood: FloodOptions;
  'hold-connections': HoldConnectionsOptions;
  'repeat-requests': RepeatRequestsOptions;
  'toggle-scans': ToggleScansOptions;
}

export interface Attack {
  /** Ends it, and all its connections; resolves to what it did. */
  stop(): Promise<AttackCounts>;
}

/**
 * Attacks from a process of its own, so that what the attack costs is not measured as waiting; resolves once the attack
 * has its full strength.
 */
export const launchAttack = async <Name extends keyof AttackOptions>(
  name: Name,
  options: AttackOptions[Name],
): Promise<Attack> => {
  const child = fork(new URL(`./attackers/${name}.ts`, import.meta.url), [JSON.stringify(options)], {
    execArgv: [],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const isReady = await Promise.race([
    once(child, 'message').then(() => true),
    once(child, 'exit').then(() => false),
  ]);
  if (!isReady) throw new Error(`the attack ${name} ended with exit code ${child.exitCode}`);
  return {
    async stop() {
      const told = once(child, 'message') as Promise<[AttackMessage]>;
      const ended = once(child, 'exit');
      child.send(STOP);
      const [message] = await told;
      await ended;
      return 'counts' in message ? message.counts : {};
    },
  };
};

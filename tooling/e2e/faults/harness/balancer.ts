import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask, type Question, type Reply } from './ask.ts';
import type { Member } from './fault-stack.ts';

/** How often the balancer looks who is ready, in milliseconds. */
const PROBE_INTERVAL_MS = 100;
const PROBE_TIMEOUT_MS = 1_000;
/** How `ask` reports a response that did not come in time. */
const TIMED_OUT = 'ABORT_ERR';

const NOBODY_READY: Reply = {
  status: 0,
  headers: {},
  text: 'no process is ready',
  body: undefined,
  tookMs: 0,
};

/**
 * A load balancer as operators use them: it asks each process whether it is ready, sends requests by turns to
 * those that are, and keeps its connections to them. It repeats nothing.
 */
export const startBalancer = async (members: readonly Member[]) => {
  const agent = new Agent({ keepAlive: true });
  let ready: Member[] = [];
  let turn = 0;
  let isStopped = false;
  const probe = async () => {
    const responses = await Promise.all(
      members.map((member) => ask(`${member.operationsUrl}/ready`, { timeoutMs: PROBE_TIMEOUT_MS })),
    );
    ready = members.filter((member, index) => {
      const response = responses[index];
      // No response in time tells nothing yet; a process that is gone refuses the connection.
      return response?.text === TIMED_OUT ? ready.includes(member) : response?.status === 200;
    });
  };
  const probeAlways = async () => {
    while (!isStopped) {
      await probe();
      await sleep(PROBE_INTERVAL_MS);
    }
  };
  await probe();
  const probing = probeAlways();
  return {
    isReady: (member: Member): boolean => ready.includes(member),
    ask(path: string, question: Question): Promise<Reply> {
      turn += 1;
      const member = ready[turn % ready.length];
      if (member === undefined) return Promise.resolve(NOBODY_READY);
      return ask(member.url + path, { agent, ...question });
    },
    async close() {
      isStopped = true;
      await probing;
      agent.destroy();
    },
  };
};

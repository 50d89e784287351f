import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { PartName, PartPids } from '../data-folder/stack-file.ts';
import type { PartProcess } from './part-process.ts';
import { createSupervisor, type Part, type ProcessPart } from './supervisor.ts';

const part = (name: PartName, more: Partial<ProcessPart> = {}): ProcessPart => ({
  name,
  title: name,
  command: { module: 'none.ts', env: {} },
  isReady: async () => true,
  startTimeoutMs: 10_000,
  stopTimeoutMs: 1_000,
  ...more,
});

/** A supervisor over processes that die when the test says so, and a clock that stands or runs as it says. */
const watch = ({ obeys = true }: { obeys?: boolean } = {}) => {
  const events: string[] = [];
  const running = new Map<PartName, { pid: number; die: (exit: string) => void }>();
  let pids: PartPids = {};
  let lastPid = 100;
  let nowMs = 0;
  const spawn = ({ name }: Part): PartProcess => {
    lastPid += 1;
    const exited = Promise.withResolvers<string>();
    const die = (exit: string) => {
      if (running.get(name)?.die === die) running.delete(name);
      exited.resolve(exit);
    };
    running.set(name, { pid: lastPid, die });
    events.push(`spawn ${name}`);
    return {
      pid: lastPid,
      exited: exited.promise,
      terminate: () => {
        events.push(`terminate ${name}`);
        if (obeys) die('ended with code 0');
      },
      kill: () => {
        events.push(`kill ${name}`);
        die('was ended by SIGKILL');
      },
    };
  };
  const supervisor = createSupervisor({
    spawn,
    onRestart: ({ name }, exit) => events.push(`restart ${name}: ${exit}`),
    onPids: (known) => {
      pids = known;
    },
    killPid: (pid) => events.push(`kill process ${pid}`),
    clock: {
      nowMs: () => nowMs,
      sleep: async (delayMs) => {
        nowMs += delayMs;
        await nextTurn();
      },
    },
  });
  return {
    supervisor,
    events,
    pids: () => pids,
    pass: (delayMs: number) => {
      nowMs += delayMs;
    },
    /** Lets the part die, and waits until it runs again or is given up. */
    die: async (name: PartName) => {
      const untilRuns = async () => {
        for (let turn = 0; turn < 20 && !running.has(name); turn += 1) await nextTurn();
      };
      await untilRuns();
      running.get(name)?.die('was ended by SIGKILL');
      await untilRuns();
    },
    runs: (name: PartName) => running.has(name),
  };
};

describe('the supervisor', () => {
  it('says that a part has started only once it is ready', async () => {
    const { supervisor, pids } = watch();
    let asked = 0;
    const isReady = async () => {
      asked += 1;
      return asked > 3;
    };
    await supervisor.start(part('api', { isReady }));
    expect(asked).toBe(4);
    expect(pids()).toEqual({ api: 101 });
  });

  it('starts a part again that dies, says so, and reports its new process id', async () => {
    const { supervisor, events, die, pids } = watch();
    await supervisor.start(part('api'));
    await supervisor.start(part('worker'));
    await die('api');
    expect(events).toEqual(['spawn api', 'spawn worker', 'restart api: was ended by SIGKILL', 'spawn api']);
    expect(pids()).toEqual({ api: 103, worker: 102 });
  });

  it('gives up on a part that dies three times within a minute', async () => {
    const { supervisor, die, runs } = watch();
    await supervisor.start(part('ml', { title: 'ML service' }));
    for (let death = 1; death <= 3; death += 1) await die('ml');
    const failure = await supervisor.failure;
    expect(failure.message).toBe('ML service was ended by SIGKILL, for the third time within a minute');
    expect(failure.part.name).toBe('ml');
    expect(runs('ml')).toBe(false);
  });

  it('does not give up on a part whose deaths lie further apart', async () => {
    const { supervisor, die, pass, runs } = watch();
    await supervisor.start(part('ml'));
    for (let death = 1; death <= 6; death += 1) {
      await die('ml');
      pass(31_000);
    }
    expect(runs('ml')).toBe(true);
  });

  it('counts deaths during the start, too', async () => {
    const { supervisor, die } = watch();
    const starting = supervisor.start(part('api', { isReady: async () => false, startTimeoutMs: 1e9 }));
    const refused = expect(starting).rejects.toMatchObject({ code: 'part_failed' });
    for (let death = 1; death <= 3; death += 1) await die('api');
    await refused;
  });

  it('gives up on a part that runs but is not ready in its time', async () => {
    const { supervisor } = watch();
    const starting = supervisor.start(part('api', { isReady: async () => false, startTimeoutMs: 2_000 }));
    await expect(starting).rejects.toThrow('api was not ready after 2 seconds');
  });

  it('reports the id of the process that does the work, if it is another', async () => {
    const { supervisor, die, pids } = watch();
    let postmaster = 7_000;
    const readPid = () => {
      postmaster += 1;
      return postmaster;
    };
    await supervisor.start(part('database', { readPid }));
    expect(pids()).toEqual({ database: 7_001 });
    await die('database');
    await nextTurn();
    expect(pids()).toEqual({ database: 7_002 });
  });

  it('ends parts before those that they need, and starts none again', async () => {
    const { supervisor, events } = watch();
    for (const name of ['database', 'google', 'ml', 'api', 'worker', 'web'] as const) {
      await supervisor.start(part(name));
    }
    events.length = 0;
    await supervisor.stopAll();
    expect(events).toEqual(
      ['web', 'api', 'worker', 'ml', 'google', 'database'].map((name) => `terminate ${name}`),
    );
    await expect(supervisor.start(part('web'))).rejects.toMatchObject({ code: 'stack_stopping' });
  });

  it('cuts a part off that does not end in its time, with the process behind it', async () => {
    const { supervisor, events } = watch({ obeys: false });
    await supervisor.start(part('database', { readPid: () => 7_000 }));
    events.length = 0;
    await supervisor.stopAll();
    expect(events).toEqual(['terminate database', 'kill process 7000', 'kill database']);
  });

  it('ends everything at once when it must', async () => {
    const { supervisor, events, runs } = watch({ obeys: false });
    await supervisor.start(part('api'));
    await supervisor.start(part('worker'));
    events.length = 0;
    supervisor.killAll();
    expect(events).toEqual(['kill api', 'kill worker']);
    await nextTurn();
    expect([runs('api'), runs('worker')]).toEqual([false, false]);
  });
});

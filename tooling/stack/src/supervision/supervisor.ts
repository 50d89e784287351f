import type { Logger } from '@mailsweep/service-kit';
import { type Clock, SYSTEM_CLOCK } from '@mailsweep/service-kit/resilience';
import { PART_NAMES, type PartName, type PartPids } from '../data-folder/stack-file.ts';
import type { HostedService } from './hosted-part.ts';
import type { PartCommand, PartExit, PartProcess } from './part-process.ts';

/** So many deaths of one part within the time below, and the stack gives up. */
const MAX_DEATHS = 3;
const DEATHS_WINDOW_MS = 60_000;
/** Pause before a part that died is started again, in milliseconds. */
const RESTART_PAUSE_MS = 250;
const READY_POLL_MS = 50;

interface AnyPart {
  name: PartName;
  title: string;
  /** Whether it can do its work; asked until it can. */
  isReady(): Promise<boolean>;
  /** The process that does the work, where that is another than the one we start; known once it is ready. */
  readPid?(): number | undefined;
  startTimeoutMs: number;
  stopTimeoutMs: number;
}

export interface ProcessPart extends AnyPart {
  command: PartCommand;
}

export interface HostedPart extends AnyPart {
  open(logger: Logger): Promise<HostedService>;
}

export type Part = ProcessPart | HostedPart;

/** A part can't be brought to work. */
export class PartFailure extends Error {
  override readonly name = 'PartFailure';
  readonly code = 'part_failed';
  readonly part: Part;

  constructor(part: Part, message: string) {
    super(`${part.title} ${message}`);
    this.part = part;
  }
}

/** The stack is on its way out: nothing is started any more. */
class StackStoppingError extends Error {
  override readonly name = 'StackStoppingError';
  readonly code = 'stack_stopping';
}

interface Entry {
  part: Part;
  process: PartProcess;
  /** The process that does the work, once it is known. */
  pid: number | undefined;
  hasEnded: boolean;
}

/** Runs the parts of a stack: restarts what dies, gives up on what dies repeatedly, and leaves no process behind. */
export const createSupervisor = (options: {
  spawn: (part: Part) => PartProcess;
  onRestart: (part: Part, exit: PartExit) => void;
  onPids: (pids: PartPids) => void;
  /** Ends a process outside of the part's own group at once. */
  killPid: (pid: number) => void;
  clock?: Clock;
}) => {
  const { spawn, onRestart, onPids, killPid, clock = SYSTEM_CLOCK } = options;
  const { nowMs, sleep } = clock;
  const entries: Entry[] = [];
  const failure = Promise.withResolvers<PartFailure>();
  let isStopping = false;

  const setPid = (entry: Entry, pid: number | undefined): void => {
    entry.pid = pid;
    const known = entries.flatMap((other) => (other.pid === undefined ? [] : [[other.part.name, other.pid]]));
    onPids(Object.fromEntries(known));
  };

  const launch = (part: Part, former?: Entry): Entry => {
    const entry = Object.assign(former ?? {}, {
      part,
      process: spawn(part),
      pid: undefined,
      hasEnded: false,
    });
    if (former === undefined) entries.push(entry);
    setPid(entry, part.readPid ? undefined : entry.process.pid);
    return entry;
  };

  /** Resolves when the part is ready, across restarts; gives up when one start takes too long. */
  const untilReady = async (entry: Entry): Promise<void> => {
    const { part } = entry;
    let { process } = entry;
    let deadlineMs = nowMs() + part.startTimeoutMs;
    while (!isStopping) {
      if (process !== entry.process) {
        process = entry.process;
        deadlineMs = nowMs() + part.startTimeoutMs;
      }
      if (!entry.hasEnded && (await part.isReady()) && process === entry.process && !entry.hasEnded) {
        if (part.readPid) setPid(entry, part.readPid());
        return;
      }
      if (nowMs() > deadlineMs) {
        failure.resolve(new PartFailure(part, `was not ready after ${part.startTimeoutMs / 1_000} seconds`));
        return;
      }
      await sleep(READY_POLL_MS);
    }
  };

  /** Starts the part again whenever it dies, until the stack stops or the part has died too often. */
  const keepAlive = async (entry: Entry): Promise<void> => {
    let deathsMs: number[] = [];
    for (;;) {
      const exit = await entry.process.exited;
      entry.hasEnded = true;
      setPid(entry, undefined);
      if (isStopping) return;
      deathsMs = [...deathsMs.filter((diedMs) => diedMs > nowMs() - DEATHS_WINDOW_MS), nowMs()];
      if (deathsMs.length >= MAX_DEATHS) {
        failure.resolve(new PartFailure(entry.part, `${exit}, for the third time within a minute`));
        return;
      }
      onRestart(entry.part, exit);
      await sleep(RESTART_PAUSE_MS);
      if (isStopping) return;
      launch(entry.part, entry);
      void untilReady(entry);
    }
  };

  const stop = async (entry: Entry): Promise<void> => {
    if (entry.hasEnded) return;
    entry.process.terminate();
    const hasEnded = await Promise.race([
      entry.process.exited.then(() => true),
      sleep(entry.part.stopTimeoutMs).then(() => false),
    ]);
    if (!hasEnded) kill(entry);
  };

  const kill = (entry: Entry): void => {
    if (entry.hasEnded) return;
    if (entry.pid !== undefined && entry.pid !== entry.process.pid) killPid(entry.pid);
    entry.process.kill();
  };

  return {
    /** Resolves when a part has died too often. */
    failure: failure.promise,
    /** Starts a part, and resolves when it is ready. Rejects with {@link PartFailure} when it can't be. */
    async start(part: Part): Promise<void> {
      if (isStopping) throw new StackStoppingError();
      const entry = launch(part);
      void keepAlive(entry);
      const failed = await Promise.race([untilReady(entry), failure.promise]);
      if (failed !== undefined) throw failed;
      if (isStopping) throw new StackStoppingError();
    },
    /** Ends all parts one after the other, those first that need others; a slow one is cut off. */
    async stopAll(): Promise<void> {
      isStopping = true;
      const rank = ({ part }: Entry): number => PART_NAMES.indexOf(part.name);
      for (const entry of entries.toSorted((one, other) => rank(other) - rank(one))) await stop(entry);
    },
    killAll(): void {
      isStopping = true;
      for (const entry of entries) kill(entry);
    },
  };
};

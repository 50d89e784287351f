import { eventually } from './campaign.ts';
import type { ServiceProcess } from './service-process.ts';

/** Makes Node's own inspector listen on a free port: a variable for the process to be looked into. */
export const INSPECTED = { NODE_OPTIONS: '--inspect=127.0.0.1:0' };

/**
 * Looks into a running process started with {@link INSPECTED}, by the Chrome DevTools protocol: what no response of it
 * would tell.
 */
export const openInspector = async (process: ServiceProcess) => {
  const address = await eventually(() => {
    const found = [...process.output.join('').matchAll(/Debugger listening on (ws:\S+)/g)].at(-1)?.[1];
    if (found === undefined) throw new Error(`${process.name} has no inspector`);
    return found;
  });
  const socket = new WebSocket(address);
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = () => reject(new Error(`${process.name}: the inspector refuses`));
  });
  let lastId = 0;
  const call = <T>(method: string, params: object = {}): Promise<T> => {
    lastId += 1;
    const id = lastId;
    const responded = new Promise<T>((resolve) => {
      const listen = ({ data }: MessageEvent) => {
        const message = JSON.parse(String(data)) as { id?: number; result: T };
        if (message.id !== id) return;
        socket.removeEventListener('message', listen);
        resolve(message.result);
      };
      socket.addEventListener('message', listen);
    });
    socket.send(JSON.stringify({ id, method, params }));
    return responded;
  };
  /** The value of an expression in the process, as JSON has it. */
  const evaluate = async <T>(expression: string): Promise<T> =>
    (await call<{ result: { value: T } }>('Runtime.evaluate', { expression, returnByValue: true })).result
      .value;

  return {
    evaluate,
    /** Memory in use after a full collection, in bytes, and open handles by kind. */
    async measure(): Promise<{ heapBytes: number; residentBytes: number; handles: Record<string, number> }> {
      await call('HeapProfiler.collectGarbage');
      return evaluate(`({
        heapBytes: process.memoryUsage().heapUsed,
        residentBytes: process.memoryUsage().rss,
        handles: process.getActiveResourcesInfo().reduce((sums, kind) => ({ ...sums, [kind]: (sums[kind] ?? 0) + 1 }), {}),
      })`);
    },
    close: () => socket.close(),
  };
};

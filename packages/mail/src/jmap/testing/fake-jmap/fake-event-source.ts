import type { ServerResponse } from 'node:http';

/** The event source of a fake server: connections that stay open. */
export const createFakeEventSource = () => {
  const streams = new Set<ServerResponse>();
  return {
    open(response: ServerResponse): void {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      streams.add(response);
      response.once('close', () => streams.delete(response));
    },
    /** Sends an event over all connections. */
    send(type: string, data: unknown): void {
      for (const stream of streams) stream.write(`event: ${type}\ndata: ${JSON.stringify(data)}\n\n`);
    },
    /** How many connections there are. */
    count: () => streams.size,
    /** Ends all connections. */
    end(): void {
      for (const stream of streams) stream.end();
    },
  };
};

import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How long clients may take to read responses. */
export interface ReadingLimits {
  /** Longest time in which a client reads nothing of what waits for it, in milliseconds. */
  stallMs: number;
  /** Longest time that responses wait for their client in total, in milliseconds, ... */
  waitMs: number;
  /** ... not counting the time that their bytes take at this rate, in bytes a second. */
  minBytesPerSecond: number;
  /** How often that is checked, in milliseconds. */
  checkMs: number;
}

const LIMITS: ReadingLimits = { stallMs: 10_000, waitMs: 30_000, minBytesPerSecond: 16_000, checkMs: 1_000 };

/** The responses of a connection that are not yet handed to the kernel as a whole. */
interface Reading {
  responses: Set<ServerResponse>;
  /** Bytes that the kernel had taken before them. */
  bytesBefore: number;
  waitedMs: number;
}

const bytesTakenFrom = (socket: Socket): number => socket.bytesWritten - socket.writableLength;

/** Event streams last as long as there are events. */
const isEventStream = (response: ServerResponse): boolean =>
  String(response.getHeader('content-type')).startsWith('text/event-stream');

/**
 * Resets connections whose client does not read its responses, or reads them too slowly: what waits to be sent
 * takes memory, and its request counts as in flight. The time in which a handler works does not count.
 */
export const resetSlowReaders = (server: Server, limits: ReadingLimits = LIMITS): void => {
  const readings = new Map<Socket, Reading>();

  server.on('request', ({ socket }, response) => {
    const reading = readings.get(socket) ?? {
      responses: new Set(),
      bytesBefore: bytesTakenFrom(socket),
      waitedMs: 0,
    };
    readings.set(socket, reading);
    reading.responses.add(response);
    response.once('close', () => {
      reading.responses.delete(response);
      if (reading.responses.size === 0) readings.delete(socket);
    });
  });

  // Node restarts this time-out whenever the kernel takes more. Node ends connections that are kept alive by it, too.
  server.timeout = limits.stallMs;
  server.on('timeout', (socket) => {
    if (!readings.has(socket)) socket.destroy();
    else if (socket.writableLength > 0) socket.resetAndDestroy();
  });

  const timer = setInterval(() => {
    for (const [socket, reading] of readings) {
      if (socket.writableLength === 0 || reading.responses.values().some(isEventStream)) continue;
      reading.waitedMs += limits.checkMs;
      const bytes = bytesTakenFrom(socket) - reading.bytesBefore;
      const allowedMs = limits.waitMs + (bytes / limits.minBytesPerSecond) * 1_000;
      if (reading.waitedMs > allowedMs) socket.resetAndDestroy();
    }
  }, limits.checkMs);
  timer.unref();
  server.once('close', () => clearInterval(timer));
};

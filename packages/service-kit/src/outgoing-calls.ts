import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import type { Socket } from 'node:net';

/** What a call over HTTP is made for, and for whom, as far as its code has said so. */
interface Reason {
  userId?: string;
  peer?: string;
}

/** A call of another host over HTTP that is over, whatever came of it. */
export interface OutgoingCall {
  /** null for a call that is made for no user in particular. */
  userId: string | null;
  /** The service, as spans name it: `gmail`; `unknown` where no code has named it. */
  peer: string;
  /** With the port, unless it is the scheme's own. */
  host: string;
  /** Sizes in bytes, of bodies and, where they can be told, of headers and of what encrypts them. */
  bytesSent: number;
  bytesReceived: number;
}

const reasons = new AsyncLocalStorage<Reason>();

/** Has the calls that this work makes be those of a user. */
export const onBehalfOf = <T>(userId: string, work: () => T): T =>
  reasons.run({ ...reasons.getStore(), userId }, work);

/** Has the calls that this work makes be those of a service. */
export const callingPeer = <T>(peer: string, work: () => T): T =>
  reasons.run({ ...reasons.getStore(), peer }, work);

/** What Node tells of a request of its `fetch` (undici's documentation, DiagnosticsChannel). */
interface FetchMessage {
  request: { origin: string | URL };
  /** All header lines in one text. */
  headers?: string;
  chunk?: Uint8Array;
}

/** Of a socket that was destroyed Node may tell no size. */
const sizesOf = ({ bytesWritten, bytesRead }: Socket) => ({
  sent: bytesWritten || 0,
  received: bytesRead || 0,
});

interface FetchCall {
  reason: Reason | undefined;
  sent: number;
  received: number;
}

/**
 * Observes every call over HTTP of this process, whichever library makes it: Node itself tells of those of `node:http` and
 * of `fetch`, so that no code can forget to.
 *
 * @returns stops observing
 */
export const observeOutgoingCalls = (observe: (call: OutgoingCall) => void): (() => void) => {
  const report = (host: string, reason: Reason | undefined, bytesSent: number, bytesReceived: number) =>
    observe({
      userId: reason?.userId ?? null,
      peer: reason?.peer ?? 'unknown',
      host,
      bytesSent,
      bytesReceived,
    });

  const onHttp = (message: unknown) => {
    const { request } = message as { request: ClientRequest };
    const reason = reasons.getStore();
    let socket: Socket | undefined;
    let before = { sent: 0, received: 0 };
    request.once('socket', (given) => {
      before = sizesOf(given);
      const connected = () => {
        socket = given;
      };
      if (given.connecting) given.once('connect', connected);
      else connected();
    });
    request.once('close', () => {
      // Without a connection nothing has reached anybody, whatever waits in the socket.
      if (socket === undefined) return;
      const { sent, received } = sizesOf(socket);
      const host = String(request.getHeader('host') ?? request.host);
      report(host, reason, Math.max(0, sent - before.sent), Math.max(0, received - before.received));
    });
  };

  const fetches = new WeakMap<object, FetchCall>();
  const onFetch = (take: (call: FetchCall, message: FetchMessage) => void) => (message: unknown) => {
    const call = fetches.get((message as FetchMessage).request);
    if (call !== undefined) take(call, message as FetchMessage);
  };
  const onFetchCreated = (message: unknown) =>
    void fetches.set((message as FetchMessage).request, { reason: reasons.getStore(), sent: 0, received: 0 });
  const onFetchSent = onFetch((call, { headers, chunk }) => {
    call.sent += headers?.length ?? chunk?.length ?? 0;
  });
  const onFetchReceived = onFetch((call, { chunk }) => {
    call.received += chunk?.length ?? 0;
  });
  const onFetchEnd = onFetch((call, { request }) => {
    fetches.delete(request);
    if (call.sent > 0) report(new URL(request.origin).host, call.reason, call.sent, call.received);
  });

  const channels = {
    'http.client.request.created': onHttp,
    'undici:request:create': onFetchCreated,
    'undici:client:sendHeaders': onFetchSent,
    'undici:request:bodyChunkSent': onFetchSent,
    'undici:request:bodyChunkReceived': onFetchReceived,
    'undici:request:trailers': onFetchEnd,
    'undici:request:error': onFetchEnd,
  };
  for (const [name, listener] of Object.entries(channels)) subscribe(name, listener);
  return () => {
    for (const [name, listener] of Object.entries(channels)) unsubscribe(name, listener);
  };
};

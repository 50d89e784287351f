import { createCallTokens, MailboxError } from '@mailsweep/mail/mailbox';
import { parseJson } from '@mailsweep/service-kit/http-client';
import { callingPeer } from '@mailsweep/service-kit/outgoing-calls';
import { createParser } from 'eventsource-parser';
import { type JmapMailboxOptions, toClientOptions } from '../jmap-mailbox.ts';
import { SILENCE_MS } from '../protocol/event-source-url.ts';
import { createJmapClient } from '../protocol/jmap-client.ts';
import { toResponseFailure } from '../protocol/jmap-errors.ts';
import { StateChangeSchema } from '../protocol/jmap-schemas.ts';

/** Largest event that is read, in characters; state changes have some hundreds. */
const MAX_EVENT_LENGTH = 64 * 1024;

/** An event of a stream of server-sent events (HTML, "Server-sent events"). */
interface StreamEvent {
  /** Its type; `message` where the server names none. */
  type: string;
  data: string;
}

/**
 * Reads server-sent events until the stream ends.
 *
 * @param onBytes - called for whatever arrives, comments too
 * @throws what the stream is ended with, and for an event that is too large
 */
const readEventStream = async (
  body: AsyncIterable<Uint8Array>,
  { onBytes, onEvent }: { onBytes: () => void; onEvent: (event: StreamEvent) => void },
): Promise<void> => {
  const decoder = new TextDecoder();
  const parser = createParser({
    maxBufferSize: MAX_EVENT_LENGTH,
    onEvent: ({ event = 'message', data }) => onEvent({ type: event, data }),
  });
  for await (const bytes of body) {
    onBytes();
    parser.feed(decoder.decode(bytes, { stream: true }));
  }
};

/** Why listening has ended: the server has no event source for this account, or the connection was closed. */
export type ListeningEnd = 'unsupported' | 'closed';

/** A signal that fires after a silence. */
const watchSilence = (silenceMs: number) => {
  const ending = new AbortController();
  const timer = setTimeout(() => ending.abort(), silenceMs);
  return { signal: ending.signal, interrupt: () => void timer.refresh(), stop: () => clearTimeout(timer) };
};

const namesAccount = (data: string, accountId: string): boolean => {
  const { changed } = StateChangeSchema.safeParse(parseJson(data)).data ?? {};
  return changed !== undefined && Object.hasOwn(changed, accountId);
};

/**
 * Listens to changes of an account's emails (RFC 8620, 7.3), over one connection, until it is closed.
 *
 * @param options.signal - closes it
 * @param options.onChange - called when the connection is open, for what was missed before, and for each change
 * @throws {MailboxError} when the server cannot be reached or no longer takes the token
 */
export const listenToAccount = async (
  options: JmapMailboxOptions & { signal: AbortSignal; onChange: () => void },
): Promise<ListeningEnd> => {
  const { accessTokens, onChange, signal } = options;
  const client = createJmapClient(toClientOptions(options));
  const { accountId, clock, eventSourceUrl, host } = await client.withSession(async (session) => session);
  if (eventSourceUrl === undefined) return 'unsupported';
  const tokens = createCallTokens(accessTokens);
  const silence = watchSilence(SILENCE_MS);

  const open = (token: string): Promise<Response> =>
    callingPeer('jmap', () =>
      fetch(eventSourceUrl, {
        headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' },
        redirect: 'manual',
        signal: AbortSignal.any([signal, silence.signal]),
      }),
    );

  const openWithToken = async (): Promise<Response> => {
    const token = await tokens.current();
    const response = await open(token);
    if (response.status !== 401) return response;
    await response.body?.cancel();
    return await open(await tokens.renew(token));
  };

  const listen = async (): Promise<ListeningEnd> => {
    const { status, headers, body } = await openWithToken();
    const type = headers.get('content-type') ?? '';
    if (status === 200 && body !== null && type.startsWith('text/event-stream')) {
      onChange();
      await readEventStream(body, {
        onBytes: silence.interrupt,
        onEvent: (event) => {
          if (event.type === 'state' && namesAccount(event.data, accountId)) onChange();
        },
      });
      return 'closed';
    }
    await body?.cancel();
    if (status !== 401 && status !== 429 && status < 500) return 'unsupported';
    const retryAfter = headers.get('retry-after') ?? undefined;
    throw toResponseFailure({ status, retryAfter, text: '' }, `${host} responded`, clock.nowMs()).error;
  };

  try {
    return await listen();
  } catch (error) {
    if (signal.aborted || silence.signal.aborted) return 'closed';
    if (error instanceof MailboxError) throw error;
    throw new MailboxError('mailbox_unavailable', 'The event source could not be read', { cause: error });
  } finally {
    silence.stop();
  }
};

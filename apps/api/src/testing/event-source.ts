import { PROGRESS_STREAM_EVENTS, type Scan } from '@mailsweep/contracts';
import { EventSource } from 'eventsource';
import { onTestFinished } from 'vitest';

interface SeenEvent {
  name: string;
  id: string;
  data: Scan;
}

/** Follows a scan as a browser does; tells what came, and how what response each of its requests got. */
export const openEventSource = (url: string, cookie: string) => {
  const events: SeenEvent[] = [];
  const statuses: number[] = [];
  const source = new EventSource(url, {
    async fetch(input, init) {
      const response = await fetch(input, { ...init, headers: { ...init.headers, cookie } });
      statuses.push(response.status);
      return response;
    },
  });
  for (const name of Object.values(PROGRESS_STREAM_EVENTS)) {
    source.addEventListener(name, ({ lastEventId: id, data }) => {
      events.push({ name, id, data: JSON.parse(data) });
    });
  }
  onTestFinished(() => source.close());
  return { events, statuses, isOver: () => source.readyState === source.CLOSED };
};

/** Opens a stream and reads it bit by bit. */
export const openStream = async (url: string, headers: Record<string, string>) => {
  const gone = new AbortController();
  onTestFinished(() => gone.abort());
  const response = await fetch(url, { headers, signal: gone.signal });
  const reader = (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const readOn = async () => {
    const { value, done } = await reader.read();
    text += value ?? '';
    return !done;
  };
  return {
    status: response.status,
    headers: response.headers,
    /** Reads until the text has come, and returns all that came. */
    async until(expected: string): Promise<string> {
      while (!text.includes(expected)) {
        if (!(await readOn())) throw new Error(`the stream ended without ${expected}: ${text}`);
      }
      return text;
    },
    /** Reads to the end, and returns all that came. */
    async toEnd(): Promise<string> {
      while (await readOn());
      return text;
    },
    leave: () => gone.abort(),
  };
};

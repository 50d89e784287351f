import { PROGRESS_STREAM_EVENTS, type Scan, STREAM_ROUTES } from '@mailsweep/contracts';

const readScan = (event: MessageEvent<string>): Scan | null => {
  try {
    return JSON.parse(event.data);
  } catch {
    return null;
  }
};

/**
 * Follows a scan by server-sent events, until its end. A lost stream comes back by itself.
 *
 * @param input.onRefused - called when no more events come although the scan may go on: the API has no room for the
 *   stream, the session is over, or something in between does not understand it
 * @returns the way to stop
 */
export const followScan = (input: {
  apiOrigin: string;
  id: string;
  onScan: (scan: Scan) => void;
  onRefused: () => void;
}): (() => void) => {
  const path = STREAM_ROUTES.followScan.path.replace('{id}', encodeURIComponent(input.id));
  const source = new EventSource(new URL(path, input.apiOrigin), { withCredentials: true });
  const take = (event: MessageEvent<string>) => {
    const scan = readScan(event);
    if (scan) return input.onScan(scan);
    source.close();
    input.onRefused();
  };
  source.addEventListener(PROGRESS_STREAM_EVENTS.PROGRESS, take);
  source.addEventListener(PROGRESS_STREAM_EVENTS.END, (event) => {
    source.close();
    take(event);
  });
  source.addEventListener('error', () => {
    if (source.readyState === EventSource.CLOSED) input.onRefused();
  });
  return () => source.close();
};

/** Longest wait for one response, in milliseconds. */
const RESPONSE_TIMEOUT_MS = 2_000;

/** Whether every address responds with success. */
export const respondsAt = async (...urls: string[]): Promise<boolean> => {
  for (const url of urls) {
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS) });
      await response.body?.cancel();
      if (!response.ok) return false;
    } catch {
      // Not listening yet.
      return false;
    }
  }
  return true;
};

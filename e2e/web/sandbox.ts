import got from 'got';

/** Orders the Google sandbox to answer the next calls that fit with a fault. */
export const orderFault = async (
  google: string,
  fault: { kind: string; path: string; method?: string; times?: number; delayMs?: number },
): Promise<void> => {
  await got.post(`${google}/sandbox/faults`, { json: fault });
};

/** Takes back every order. */
export const clearFaults = async (google: string): Promise<void> => {
  await got.delete(`${google}/sandbox/faults`);
};

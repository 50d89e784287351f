import got from 'got';

/** For whom this file ordered faults. */
const users = new Set<string>();

/** Orders the Google sandbox to answer the next calls of a user that fit with a fault. */
export const orderFault = async (
  google: string,
  fault: { user: string; kind: string; path: string; method?: string; times?: number; delayMs?: number },
): Promise<void> => {
  users.add(fault.user);
  await got.post(`${google}/sandbox/faults`, { json: fault });
};

/** Takes back every order of this file. */
export const clearFaults = async (google: string): Promise<void> => {
  for (const user of users) await got.delete(`${google}/sandbox/faults`, { searchParams: { user } });
  users.clear();
};

/** The calls that the sandbox has had of a user since they were last forgotten. */
export const listRequests = (google: string, user: string): Promise<{ method: string; path: string }[]> =>
  got(`${google}/sandbox/requests`, { searchParams: { user } }).json();

/** Forgets the calls that the sandbox has had of a user. */
export const forgetRequests = async (google: string, user: string): Promise<void> => {
  await got.delete(`${google}/sandbox/requests`, { searchParams: { user } });
};

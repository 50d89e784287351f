import { parentPort, workerData } from 'node:worker_threads';
import { runEmulator } from './emulator.ts';

/** The emulator of one large mailbox, in a thread. */
const { url } = await runEmulator(workerData);
parentPort?.postMessage(url);

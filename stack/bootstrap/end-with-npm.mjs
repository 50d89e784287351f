// Preloaded into what the bootstrap hands over to in its own process: nobody else is there to watch npm.
import { onNpmEnd } from './npm-watch.mjs';

onNpmEnd(() => process.kill(process.pid, 'SIGTERM'));

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { createStackFile } from './stack-file.ts';

const addresses = {
  api: 'http://localhost:3000',
  web: null,
  ml: 'http://127.0.0.1:4000',
  google: 'http://127.0.0.1:4001',
  webhookInbox: null,
  setup: null,
  database: 'postgresql://127.0.0.1/mailsweep',
  redis: null,
};

it('shows where the parts are and which processes they run in, while the stack runs', () => {
  const path = join(temporaryFolder(), 'stack.json');
  const file = createStackFile({ path, pid: 42, addresses });
  const read = () => JSON.parse(readFileSync(path, 'utf8'));

  file.refresh({ api: 1 });
  expect(existsSync(path)).toBe(false);

  file.publish({ api: 1, worker: 2 });
  expect(read()).toEqual({ ...addresses, pid: 42, pids: { api: 1, worker: 2 } });

  file.refresh({ api: 3, worker: 2 });
  expect(read().pids).toEqual({ api: 3, worker: 2 });

  file.remove();
  file.refresh({});
  expect(existsSync(path)).toBe(false);
});

import { checkAddresses } from './checks/addresses.ts';
import { checkClassification, checkShadow } from './checks/classification.ts';
import { checkConnections, checkDatabase, checkMigrations, checkRights } from './checks/database.ts';
import { checkJmapProviders } from './checks/jmap-providers.ts';
import { checkDisk, checkNode } from './checks/machine.ts';
import { checkPorts } from './checks/ports.ts';
import { checkProcesses, checkStoredTokens } from './checks/processes.ts';
import { checkClient, checkGmail, checkProvider } from './checks/provider.ts';
import { checkPublicAddress, checkTls } from './checks/public-address.ts';
import { checkQueue } from './checks/queue.ts';
import { checkRedis } from './checks/redis.ts';
import { checkKeys, checkPushKeys, checkVariables } from './checks/variables.ts';
import { checkWebhook } from './checks/webhook.ts';
import type { Check } from './run-checks.ts';

/** All checks, in the order in which they are shown. */
export const CHECKS: readonly Check[] = [
  { name: 'node', run: checkNode },
  { name: 'disk', run: checkDisk },
  { name: 'variables', run: checkVariables },
  { name: 'keys', run: checkKeys },
  { name: 'push keys', run: checkPushKeys },
  { name: 'ports', run: checkPorts },
  { name: 'addresses', run: checkAddresses },
  { name: 'tls', run: checkTls },
  { name: 'public address', run: checkPublicAddress },
  { name: 'database', run: checkDatabase },
  { name: 'migrations', needs: ['database'], run: checkMigrations },
  { name: 'rights', needs: ['database'], run: checkRights },
  { name: 'connections', needs: ['database'], run: checkConnections },
  { name: 'processes', needs: ['database'], run: checkProcesses },
  { name: 'stored tokens', needs: ['migrations'], run: checkStoredTokens },
  { name: 'redis', run: checkRedis },
  { name: 'queue', needs: ['migrations', 'redis'], run: checkQueue },
  { name: 'provider', run: checkProvider },
  { name: 'oauth client', needs: ['provider'], run: checkClient },
  { name: 'gmail', run: checkGmail },
  { name: 'jmap providers', run: checkJmapProviders },
  { name: 'classification', run: checkClassification },
  { name: 'shadow classification', run: checkShadow },
  { name: 'webhook', run: checkWebhook },
];

import { mailboxAccessVariables, requireProvider } from '@mailsweep/provider-connection';
import { mlVariables, parseConfig } from '@mailsweep/service-kit';
import { z } from 'zod';
import { PrivateAddressesSchema } from '../private-addresses.ts';

/** What a worker needs to open mailboxes and classify emails; the same as for the API. */
const ScanEnvironmentSchema = requireProvider(
  z.object({
    ...mailboxAccessVariables,
    ...mlVariables,
    ALLOW_PRIVATE_ADDRESSES: PrivateAddressesSchema,
  }),
);

export type ScanConfig = Readonly<z.output<typeof ScanEnvironmentSchema>>;

/** If any of these is set, the worker opens mailboxes, and none may be missing. */
const SCAN_VARIABLES = ['TOKEN_ENCRYPTION_KEY', 'OAUTH_CLIENT_ID', 'OAUTH_CLIENT_SECRET', 'ML_BASE_URL'];

/**
 * Reads the configuration of scanning; undefined when none is set: such a worker delivers events and holds no keys.
 *
 * @throws {ConfigError} naming every invalid variable at once
 */
export const readScanConfig = (env: Record<string, string | undefined>): ScanConfig | undefined =>
  SCAN_VARIABLES.some((name) => env[name]) ? parseConfig(ScanEnvironmentSchema, env) : undefined;

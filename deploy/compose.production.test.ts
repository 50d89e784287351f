import { spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { FILE_VARIABLES, VARIABLES } from '../packages/service-kit/src/variables.ts';

interface Service {
  image: string;
  restart: string;
  read_only?: boolean;
  cap_drop?: string[];
  cap_add?: string[];
  security_opt: string[];
  environment?: Record<string, unknown>;
  entrypoint?: string[];
  secrets?: string[];
  networks: string[];
  ports?: string[];
  volumes?: string[];
  healthcheck?: object;
  logging: { driver: string; options: Record<string, string> };
  deploy: { resources: { limits: { cpus: string; memory: string } } };
  depends_on?: Record<string, { condition: string }> | string[];
}
interface Compose {
  services: Record<string, Service>;
  networks: Record<string, { internal?: boolean } | null>;
  secrets: Record<string, { file: string }>;
}

const read = (file: string) => parse(readFileSync(file, 'utf8'), { merge: true }) as Compose;
const { services, networks, secrets } = read('compose.production.yml');
const local = read('docker-compose.yml');
const names = Object.keys(services);
/** Ours, and the folder with the Dockerfile of each. */
const FOLDERS: Record<string, string> = {
  api: 'apps/api',
  worker: 'apps/worker',
  doctor: 'apps/api',
  ml: 'apps/ml',
  web: 'apps/web',
  migrate: 'prisma',
};
/** Of OpenTelemetry, for all who export traces (docs/TRACING.md). */
const TRACING_VARIABLES = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_TRACES_SAMPLER', 'OTEL_TRACES_SAMPLER_ARG'];
const membersOf = (network: string) => names.filter((name) => services[name]?.networks.includes(network));

describe('compose.production.yml', () => {
  test('runs what docker-compose.yml runs, with the same programs beside it', () => {
    expect(names.filter((name) => !(name in local.services)).toSorted()).toEqual(['database', 'proxy']);
    expect(Object.keys(local.services).filter((name) => !(name in services))).toEqual([]);
    for (const name of ['postgres', 'redis']) expect(services[name]?.image).toBe(local.services[name]?.image);
    expect(services.database?.image).toBe(services.postgres?.image);
  });

  test.each(names)('takes %s from an image of one version', (name) => {
    const { image } = services[name] as Service;
    if (name in FOLDERS) {
      expect(image).toMatch(
        new RegExp(
          `^\\$\\{IMAGE_PREFIX:-\\}mailsweep-${name === 'doctor' ? 'api' : name}:\\$\\{MAILSWEEP_VERSION:\\?`,
        ),
      );
    } else {
      expect(image).toMatch(/^[a-z]+:[\w.-]+@sha256:[0-9a-f]{64}$/);
    }
  });

  test.each(names)('limits %s, rotates its log, and takes rights from it', (name) => {
    const service = services[name] as Service;
    expect(Number(service.deploy.resources.limits.cpus)).toBeGreaterThan(0);
    expect(service.deploy.resources.limits.memory).toMatch(/^\d+[MG]$/);
    expect(service.logging).toMatchObject({ driver: 'local', options: { 'max-size': '10m' } });
    expect(service.security_opt).toEqual(['no-new-privileges:true']);
    // The images of Postgres and Redis change their account as they start.
    if (name !== 'postgres' && name !== 'redis') {
      expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
    }
  });

  test.skipIf(process.getuid?.() !== 0 || !existsSync('/usr/bin/setpriv'))(
    'lets backups into a folder of the administrator',
    () => {
      const folder = mkdtempSync(join(tmpdir(), 'backups-'));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      chownSync(folder, 1_000, 1_000);
      const added = (services.database?.cap_add ?? []).map((name) => `,+${name.toLowerCase()}`).join('');
      const words = ['--bounding-set', `-all${added}`, '--inh-caps', '-all', 'touch', join(folder, 'a.dump')];
      expect(spawnSync('setpriv', words).status).toBe(0);
    },
  );

  test.each(names)('knows whether %s is healthy, or that it ended', (name) => {
    const service = services[name] as Service;
    if (service.restart === 'no') return;
    const folder = FOLDERS[name];
    if (folder === undefined) expect(service).toHaveProperty('healthcheck.test');
    else expect(readFileSync(join(folder, 'Dockerfile'), 'utf8')).toContain('HEALTHCHECK');
  });

  test('has the networks of docker-compose.yml, and the proxy alone open to the outside', () => {
    expect(networks).toEqual(local.networks);
    expect(membersOf('data').toSorted()).toEqual([
      'api',
      'database',
      'doctor',
      'migrate',
      'postgres',
      'redis',
      'worker',
    ]);
    expect(membersOf('classification').toSorted()).toEqual(['api', 'doctor', 'ml', 'worker']);
    expect(membersOf('frontend').toSorted()).toEqual(['api', 'proxy', 'web']);
    expect(names.filter((name) => services[name]?.ports)).toEqual(['proxy']);
    for (const name of ['postgres', 'redis', 'database', 'migrate'])
      expect(services[name]?.networks).toEqual(['data']);
    expect(services.ml?.networks).toEqual(['classification']);
  });

  test('gives our processes only variables that they know', () => {
    const known = new Set([...VARIABLES, ...FILE_VARIABLES, ...TRACING_VARIABLES]);
    for (const name of Object.keys(FOLDERS)) {
      const unknown = Object.keys(services[name]?.environment ?? {}).filter(
        (variable) => !known.has(variable),
      );
      expect({ name, unknown }).toEqual({ name, unknown: [] });
    }
  });

  test('has every secret in a file, which those alone get that read it', () => {
    for (const [name, service] of Object.entries(services)) {
      const used = JSON.stringify([service.environment, service.entrypoint, service.healthcheck]).matchAll(
        /\/run\/secrets\/(\w+)/g,
      );
      const needed = new Set([...used].map(([, secret]) => secret));
      expect({ name, secrets: new Set(service.secrets) }).toEqual({ name, secrets: needed });
    }
    const plain = Object.values(services).flatMap(({ environment }) => Object.keys(environment ?? {}));
    // The address of the workflow service may be one, where it holds a token.
    const mayBePlain = ['WORKFLOW_WEBHOOK_URL_FILE'];
    expect(FILE_VARIABLES.filter((name) => plain.includes(name.replace(/_FILE$/, '')))).toEqual(mayBePlain);
    expect(Object.entries(secrets).map(([name, { file }]) => [name, file])).toEqual(
      Object.keys(secrets).map((name) => [name, `./secrets/${name}`]),
    );
  });

  test('migrates before API and worker start, and has every request counted by its client', () => {
    for (const name of ['api', 'worker']) {
      expect(services[name]?.depends_on).toMatchObject({
        migrate: { condition: 'service_completed_successfully' },
      });
    }
    expect(services.api?.environment?.TRUST_PROXY_HOPS).toBe(1);
  });
});

describe('deploy/make-secrets.sh', () => {
  test('makes every secret once, and leaves those that are there', () => {
    const folder = join(mkdtempSync(join(tmpdir(), 'mailsweep-secrets-')), 'secrets');
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const make = () => spawnSync('sh', ['deploy/make-secrets.sh', folder], { encoding: 'utf8' });
    expect(make()).toMatchObject({ status: 0, stdout: expect.stringContaining('oauth_client_secret') });
    expect(readdirSync(folder).toSorted()).toEqual(Object.keys(secrets).toSorted());
    const readSecret = (name: string) => readFileSync(join(folder, name), 'utf8');
    expect(Buffer.from(readSecret('token_encryption_key'), 'base64')).toHaveLength(32);
    expect(readSecret('webhook_signing_secret')).toMatch(/^whsec_[\w+/]{43}=$/);
    expect(readSecret('redis_url')).toMatch(/^redis:\/\/:[0-9a-f]{48}@redis:6379$/);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    const before = Object.keys(secrets).map(readSecret);
    expect(make().status).toBe(0);
    expect(Object.keys(secrets).map(readSecret)).toEqual(before);
  });
});

test.skipIf(!existsSync('/usr/bin/redis-server'))(
  'Redis takes its password from the file with its URL',
  () => {
    // The expression of the entry point, which compose writes with two dollar signs.
    const [, , script = ''] = services.redis?.entrypoint ?? [];
    const [, expression = ''] = /sed -E "([^"]+)"/.exec(script) ?? [];
    const { stdout } = spawnSync('sed', ['-E', expression], {
      input: 'redis://:abc123@redis:6379',
      encoding: 'utf8',
    });
    expect(stdout).toBe('requirepass abc123');
  },
);

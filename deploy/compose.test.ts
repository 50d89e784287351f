import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

interface Service {
  image?: string;
  build?: object;
  environment?: Record<string, unknown>;
  command?: string[];
  networks?: string[];
  ports?: string[];
}
interface Compose {
  services: Record<string, Service>;
  networks: Record<string, { internal?: boolean } | null>;
}

const { services, networks } = parse(readFileSync('docker-compose.yml', 'utf8'), { merge: true }) as Compose;
const membersOf = (network: string) =>
  Object.keys(services).filter((name) => services[name]?.networks?.includes(network));

describe('docker-compose.yml', () => {
  test('builds each image, or pins it by digest', () => {
    const pulled = Object.values(services).flatMap(({ image }) => image ?? []);
    expect(pulled).toHaveLength(2);
    for (const image of pulled) expect(image).toMatch(/^[a-z]+:[0-9.]+@sha256:[0-9a-f]{64}$/);
    expect(Object.values(services).filter(({ image, build }) => !image && !build)).toEqual([]);
  });

  test('lets only API, worker, migrations and the doctor reach Postgres, and nobody else Redis', () => {
    expect(membersOf('data')).toEqual(['postgres', 'redis', 'migrate', 'api', 'worker', 'doctor']);
    expect(services.postgres?.networks).toEqual(['data']);
    expect(services.redis?.networks).toEqual(['data']);
    // A service without networks would join one that all such services share.
    expect(Object.values(services).filter((service) => !service.networks?.length)).toEqual([]);
  });

  test('keeps database, queue and classification service from the outside', () => {
    expect(networks.data).toEqual({ internal: true });
    expect(networks.classification).toEqual({ internal: true });
    expect(services.ml?.networks).toEqual(['classification']);
    expect(services.web?.networks).toEqual(['frontend']);
  });

  test('has no service sign in as the superuser', () => {
    const users = Object.values(services).flatMap(({ environment }) => environment?.DB_USER ?? []);
    expect(users).toEqual(['mailsweep_owner', ...Array(3).fill('mailsweep_service')]);
    const { postgres, ...others } = services;
    expect(postgres?.environment).not.toHaveProperty('POSTGRES_USER');
    expect(JSON.stringify(others)).not.toMatch(/POSTGRES_PASSWORD|DATABASE_URL/);
  });

  test('requires a password for Redis', () => {
    const command = services.redis?.command ?? [];
    expect(command[command.indexOf('--requirepass') + 1]).toMatch(/^\$\{REDIS_PASSWORD:\?/);
    for (const name of ['api', 'worker']) {
      expect(services[name]?.environment?.REDIS_URL).toMatch(/^redis:\/\/:\$\{REDIS_PASSWORD:\?/);
    }
  });

  test('publishes ports on loopback, unless told otherwise', () => {
    const ports = Object.values(services).flatMap((service) => service.ports ?? []);
    expect(ports).toHaveLength(2);
    for (const port of ports) expect(port).toMatch(/^\$\{PUBLISH_ADDRESS:-127\.0\.0\.1\}:/);
  });

  test('tells the API how many proxies are in front', () => {
    expect(services.api?.environment?.TRUST_PROXY_HOPS).toBe(`$${'{TRUST_PROXY_HOPS:-0}'}`);
  });
});

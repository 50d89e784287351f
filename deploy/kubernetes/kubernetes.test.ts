import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ScaledObject } from '@kubernetes-models/keda/keda.sh/v1alpha1';
import { Deployment } from 'kubernetes-models/apps/v1';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import { CronJob, Job } from 'kubernetes-models/batch/v1';
import { Ingress, NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { ConfigMap, Namespace, Secret, Service } from 'kubernetes-models/v1';
import { afterAll, describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { VARIABLES } from '../../packages/service-kit/src/variables.ts';

const FOLDER = 'deploy/kubernetes';
const MODELS = [
  ConfigMap,
  CronJob,
  Deployment,
  HorizontalPodAutoscaler,
  Ingress,
  Job,
  Namespace,
  NetworkPolicy,
  PodDisruptionBudget,
  ScaledObject,
  Secret,
  Service,
];

interface Container {
  name: string;
  image: string;
  env?: { name: string; value?: string }[];
  securityContext: object;
  resources: { requests: { cpu: string; memory: string }; limits: { memory: string } };
  startupProbe?: object;
  livenessProbe?: { httpGet: { path: string } };
  readinessProbe?: { httpGet: { path: string } };
}
// biome-ignore lint/suspicious/noExplicitAny: documents of many kinds; the schemas say what they hold.
type Field = any;
interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string };
  spec: Field;
  data?: Field;
}
/** A path of an ingress. */
interface Path {
  path: string;
  backend: { service: { name: string } };
}

const parseManifests = (text: string): Manifest[] =>
  parseAllDocuments(text).map((document) => document.toJS() as Manifest);
const readFolder = (folder: string): Manifest[] =>
  (
    parse(readFileSync(join(folder, 'kustomization.yaml'), 'utf8')) as { resources: string[] }
  ).resources.flatMap((file) => parseManifests(readFileSync(join(folder, file), 'utf8')));

const written = ['base', 'migrate'].flatMap((name) => readFolder(join(FOLDER, name)));
const podsOf = (manifests: Manifest[]) =>
  manifests
    .filter(({ kind }) => ['Deployment', 'Job', 'CronJob'].includes(kind))
    .map(({ metadata, spec }) => ({
      name: metadata.name,
      pod: (spec.jobTemplate?.spec ?? spec).template.spec,
    }));
const find = (kind: string, name: string) =>
  written.find((manifest) => manifest.kind === kind && manifest.metadata.name === name) as Manifest;

const check = (manifest: Manifest): void => {
  const Model = MODELS.find((one) => one.kind === manifest.kind && one.apiVersion === manifest.apiVersion);
  if (Model === undefined) throw new Error(`no schema of ${manifest.apiVersion} ${manifest.kind}`);
  // kubectl breaks long values into lines, which API servers take and the schema does not.
  const text = JSON.stringify(manifest, (key, value) =>
    key === 'data' && manifest.kind === 'Secret' ? {} : value,
  );
  new Model(JSON.parse(text)).validate();
};

/** The example as an operator builds it, with the secrets of its templates; null without kubectl. */
const buildExample = (): Manifest[] | null => {
  const copy = mkdtempSync(join(tmpdir(), 'mailsweep-kubernetes-'));
  afterAll(() => rmSync(copy, { recursive: true }));
  cpSync(FOLDER, copy, { recursive: true });
  for (const file of ['example/secrets.env', 'example/worker-secrets.env', 'example/migrate/owner.env']) {
    copyFileSync(join(copy, `${file}.example`), join(copy, file));
  }
  const outputs = ['example', 'example/migrate'].map((folder) => {
    const { error, status, stdout, stderr } = spawnSync('kubectl', ['kustomize', join(copy, folder)], {
      encoding: 'utf8',
    });
    if (error !== undefined) return null;
    if (status !== 0) throw new Error(stderr);
    return parseManifests(stdout);
  });
  return outputs.includes(null) ? null : outputs.flatMap((output) => output ?? []);
};
const built = buildExample();

describe('deploy/kubernetes', () => {
  test.each(['base', 'migrate'])('%s lists all its files', (name) => {
    const { resources } = parse(readFileSync(join(FOLDER, name, 'kustomization.yaml'), 'utf8'));
    const files = readdirSync(join(FOLDER, name)).filter((file) => file !== 'kustomization.yaml');
    expect(resources.toSorted()).toEqual(files.toSorted());
  });

  test.each(written.map((manifest) => [manifest.kind, manifest.metadata.name, manifest] as const))(
    '%s %s fits its schema',
    (_kind, _name, manifest) => check(manifest),
  );

  test.skipIf(built === null)('the example builds, with images of one version, and fits the schemas', () => {
    for (const manifest of built ?? []) {
      check(manifest);
      if (manifest.kind !== 'Namespace') expect(manifest.metadata.namespace).toBe('mailsweep');
    }
    const images = podsOf(built ?? []).flatMap(({ pod }) =>
      pod.containers.map(({ image }: Container) => image),
    );
    expect(images).toHaveLength(6);
    for (const image of images) expect(image).toMatch(/^registry\.example\.com\/mailsweep-\w+:1\.0\.0$/);
    const settings = built?.find(({ kind }) => kind === 'ConfigMap')?.data;
    expect(settings).toMatchObject({ ML_BASE_URL: 'http://ml:8000', API_ORIGIN: settings.FRONTEND_ORIGIN });
    expect(Object.keys(settings).filter((name) => !VARIABLES.includes(name))).toEqual([]);
  });

  test.each(podsOf(written))('$name is allowed under the restricted pod security standard', ({ pod }) => {
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    });
    for (const container of pod.containers as Container[]) {
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(container.resources.requests).toHaveProperty('cpu');
      expect(container.resources.limits).toHaveProperty('memory');
      const unknown = (container.env ?? []).filter(({ name }) => !VARIABLES.includes(name));
      expect(unknown).toEqual([]);
    }
  });

  test('the doctor runs when it is asked to, once, with the variables of API and worker', () => {
    const { suspend, jobTemplate } = find('CronJob', 'doctor').spec;
    expect(suspend).toBe(true);
    expect(jobTemplate.spec.backoffLimit).toBe(0);
    const containerOf = (wanted: string) =>
      podsOf(written).find(({ name }) => name === wanted)?.pod.containers[0];
    const doctor = containerOf('doctor');
    expect(doctor).toMatchObject({ image: containerOf('api').image, command: ['node', 'dist/doctor.js'] });
    for (const { env, envFrom } of ['api', 'worker'].map(containerOf)) {
      expect(doctor.envFrom).toEqual(expect.arrayContaining(envFrom));
      expect(doctor.env).toEqual(expect.arrayContaining(env));
    }
  });

  test.each(['api', 'worker', 'ml', 'web'])('%s is probed, and survives the loss of a node', (name) => {
    const { pod } = podsOf(written).find((one) => one.name === name) ?? {};
    const [container] = pod.containers as Container[];
    expect(container?.startupProbe).toBeDefined();
    expect(container?.livenessProbe?.httpGet.path).toBe('/health');
    expect(container?.readinessProbe?.httpGet.path).toBe(
      name === 'api' || name === 'worker' ? '/ready' : '/health',
    );
    expect(find('PodDisruptionBudget', name).spec.selector.matchLabels).toEqual(
      find('Deployment', name).spec.selector.matchLabels,
    );
  });

  test('leaves the number of replicas to what scales them', () => {
    for (const [kind, name] of [
      ['HorizontalPodAutoscaler', 'api'],
      ['ScaledObject', 'worker'],
    ] as const) {
      expect(find(kind, name).spec.scaleTargetRef.name).toBe(name);
      expect(find('Deployment', name).spec).not.toHaveProperty('replicas');
    }
  });

  test('scales the worker by metrics that exist', () => {
    const { triggers } = find('ScaledObject', 'worker').spec;
    const documented = readFileSync('docs/OPERATIONS.md', 'utf8');
    for (const { metadata } of triggers) {
      const [metric = ''] = /mailsweep_\w+/.exec(metadata.query) ?? [];
      expect(documented).toContain(`\`${metric}`);
    }
    expect(triggers).toHaveLength(4);
  });

  test('closes the network but for what is named, as compose.production.yml does', () => {
    expect(find('NetworkPolicy', 'closed').spec).toEqual({
      podSelector: {},
      policyTypes: ['Ingress', 'Egress'],
    });
    const reaches = (port: number) =>
      written
        .filter(
          ({ kind, spec }) =>
            kind === 'NetworkPolicy' && JSON.stringify(spec.egress)?.includes(`"port":${port}}`),
        )
        .flatMap(({ spec: { podSelector } }) => [
          ...Object.values(podSelector.matchLabels ?? {}),
          ...(podSelector.matchExpressions ?? []).flatMap(({ values }: { values: string[] }) => values),
        ]);
    expect(reaches(5432)).toEqual(['api', 'worker', 'doctor', 'migrate']);
    expect(reaches(6379)).toEqual(['api', 'worker', 'doctor']);
    expect(reaches(443)).toEqual(['api', 'worker', 'doctor']);
  });

  test('leads the same paths to the API as the proxy of compose.production.yml', () => {
    const { paths } = find('Ingress', 'mailsweep').spec.rules[0].http;
    const toApi = paths
      .filter(({ backend }: Path) => backend.service.name === 'api')
      .map(({ path }: Path) => path.replace(/oauth-.*/, 'oauth-'));
    const [, list = ''] = /\bpath (\/api.*)$/m.exec(readFileSync('deploy/Caddyfile', 'utf8')) ?? [];
    const byCaddy = list.split(' ').map((path) => path.replace(/\/?\*$/, ''));
    expect(new Set(toApi)).toEqual(new Set(byCaddy));
    expect(paths.find(({ path }: Path) => path === '/auth/callback')).toMatchObject({
      pathType: 'Exact',
      backend: { service: { name: 'web' } },
    });
  });

  test('has no secret in the repository', () => {
    const { stdout } = spawnSync(
      'git',
      [
        'check-ignore',
        `${FOLDER}/example/secrets.env`,
        `${FOLDER}/example/worker-secrets.env`,
        'secrets/x',
        'backups/x',
      ],
      {
        encoding: 'utf8',
      },
    );
    expect(stdout.trim().split('\n')).toHaveLength(4);
  });

  test('keeps the keys that sign webhooks and notifications from the API', () => {
    const secretsOf = (name: string) =>
      [
        ...readFileSync(join(FOLDER, 'base', `${name}.yaml`), 'utf8').matchAll(
          /secretRef: \{ name: ([\w-]+) \}/g,
        ),
      ].map(([, secret]) => secret);
    expect(secretsOf('api')).toEqual(['mailsweep']);
    expect(secretsOf('worker')).toEqual(['mailsweep', 'mailsweep-worker']);
    const keys = (file: string) => readFileSync(join(FOLDER, 'example', file), 'utf8');
    expect(keys('worker-secrets.env.example')).toBe('WEBHOOK_SIGNING_SECRET=\nVAPID_PRIVATE_KEY=\n');
    expect(keys('secrets.env.example')).not.toMatch(/WEBHOOK|VAPID/);
  });
});

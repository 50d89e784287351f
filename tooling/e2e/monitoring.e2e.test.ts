import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '@mailsweep/database';
import { findFreePort } from '@mailsweep/service-kit/testing';
import { parser } from '@prometheus-io/lezer-promql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { signIn } from './src/api-session.ts';
import { type LocalStack, startLocalStack } from './src/local-stack.ts';

const read = (path: string) => readFileSync(join(import.meta.dirname, '../..', path), 'utf8');

interface Rules {
  groups: { rules: { alert: string; expr: string }[] }[];
}
interface Dashboard {
  panels: { title: string; targets?: { expr: string }[] }[];
}

const rules = (parse(read('deploy/monitoring/alerts.yml')) as Rules).groups.flatMap((group) =>
  group.rules.map(({ alert, expr }) => ({ where: alert, expr })),
);
const panels = (JSON.parse(read('deploy/monitoring/grafana-dashboard.json')) as Dashboard).panels.flatMap(
  ({ title, targets = [] }) =>
    // Grafana puts a duration in its place.
    targets.map(({ expr }) => ({ where: `panel ${title}`, expr: expr.replaceAll('$__rate_interval', '5m') })),
);

test.each([...rules, ...panels])('$where uses metrics, labels and values that are served', ({ expr }) => {
  const { errors, selectors, grouping } = analyse(expr);
  expect(errors).toEqual([]);
  const labels = new Set<string>();
  for (const { name, matchers } of selectors) {
    const values = served.get(name) ?? new Map<string, Set<string>>();
    expect([...values.keys()], name).not.toEqual([]);
    for (const label of values.keys()) labels.add(label);
    for (const matcher of matchers) {
      expect([...values.keys()]).toContain(matcher.label);
      for (const value of matcher.values) expect(values.get(matcher.label)).toContain(value);
    }
  }
  for (const label of grouping) expect(labels).toContain(label);
});

test('docs/OPERATIONS.md lists each metric of ours with its labels, and no other', () => {
  const documented = [
    ...read('docs/OPERATIONS.md')
      .replaceAll(/^(?!- ).*$/gm, '')
      .matchAll(/`(mailsweep_\w+)(?:\{([\w,]+)\})?`/g),
  ].map(([, name, labels = '']) => `${name}{${labels.split(',').toSorted().join()}}`);
  const ours = [...served].flatMap(([name, values]) => {
    if (!name.startsWith('mailsweep_') || /_(bucket|sum)$/.test(name)) return [];
    const labels = [...values.keys()].filter((label) => !ADDED_LABELS.includes(label));
    return `${name.replace(/_count$/, '')}{${labels.toSorted().join()}}`;
  });
  expect(ours.length).toBeGreaterThan(30);
  expect(documented.toSorted()).toEqual(ours.toSorted());
  for (const name of ['nodejs_eventloop_lag_p50_seconds', 'process_resident_memory_bytes'])
    expect([...served.keys()]).toContain(name);
});

describe('what docs/OPERATIONS.md says about alerts', () => {
  const guide = read('docs/OPERATIONS.md');
  const alerts = guide.slice(guide.indexOf('## Answer alerts'));

  test.each([...alerts.matchAll(/^```sql\n([\s\S]*?)^```/gm)].map(([, sql = '']) => sql))(
    'has a statement that runs: %s',
    async (sql) => {
      await database.$executeRawUnsafe(sql);
    },
  );

  test.each([...alerts.matchAll(/^```promql\n([\s\S]*?)^```/gm)].map(([, expr = '']) => expr))(
    'has a query over metrics that are served: %s',
    (expr) => {
      const { errors, selectors } = analyse(expr);
      expect(errors).toEqual([]);
      expect(selectors.map(({ name }) => name).filter((name) => !served.has(name))).toEqual([]);
    },
  );
});

/** Labels that prom-client adds to all of a process, and to histograms. */
const ADDED_LABELS = ['service', 'job', 'instance', 'le'];

/** What an expression of PromQL names; values that are patterns are left out. */
const analyse = (expr: string) => {
  const selectors: { name: string; matchers: { label: string; values: string[] }[] }[] = [];
  const grouping: string[] = [];
  const errors: string[] = [];
  parser.parse(expr).iterate({
    enter(node) {
      const text = expr.slice(node.from, node.to);
      if (node.type.isError) errors.push(`${expr.slice(0, node.from)}⚠${expr.slice(node.from)}`);
      if (node.name === 'GroupingLabels') grouping.push(...text.replaceAll(/[()\s]/g, '').split(','));
      if (node.name === 'VectorSelector') selectors.push({ name: text.replace(/\{.*/s, ''), matchers: [] });
      if (node.name === 'UnquotedLabelMatcher') {
        const [, label = '', operator, value = ''] = /^(\w+)\s*([=!~]+)\s*"(.*)"$/.exec(text) ?? [];
        const values = operator?.endsWith('~')
          ? value.split('|').filter((each) => /^\w+$/.test(each))
          : [value];
        selectors.at(-1)?.matchers.push({ label, values });
      }
    },
  });
  return { selectors, grouping, errors };
};

/** Values of each label of each series, as a Prometheus with the example of a configuration would store them. */
const readServed = async (job: string, port: number) => {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`);
  expect(response.status).toBe(200);
  const samples = (await response.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  for (const line of [`up{} 1`, ...samples]) {
    const [, name = '', labels = ''] = /^(\w+)(?:\{(.*)\})? \S+$/.exec(line) ?? [];
    const values = served.get(name) ?? new Map<string, Set<string>>();
    served.set(name, values);
    const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(
      ([, label = '', value = '']) => [label, value] as const,
    );
    for (const [label, value] of [...pairs, ['job', job] as const, ['instance', ''] as const])
      values.set(label, (values.get(label) ?? new Set()).add(value));
  }
};

const served = new Map<string, Map<string, Set<string>>>();
let stack: LocalStack;
let database: ReturnType<typeof openDatabase>;
beforeAll(async () => {
  const [api, worker] = [await findFreePort(), await findFreePort()];
  // A stack of its own: the metrics of all its users are read.
  // A metric of listeners is there only where a provider can tell of changes.
  const server = { key: 'own', name: 'Our server', sessionUrl: 'http://localhost:1/jmap', token: true };
  stack = await startLocalStack({
    OPERATIONS_PORT: `${api}`,
    WORKER_PORT: `${worker}`,
    JMAP_PROVIDERS: JSON.stringify([server]),
  });
  const { session } = await signIn(stack.api, 'ada@example.com');
  await session.get('api/v1/notifications/history');
  const jobs = parse(read('deploy/monitoring/prometheus.yml')) as { scrape_configs: { job_name: string }[] };
  expect(jobs.scrape_configs.map(({ job_name }) => job_name)).toEqual([
    'mailsweep-api',
    'mailsweep-worker',
    'mailsweep-ml',
    'mailsweep-proxy',
  ]);
  await readServed('mailsweep-api', api);
  await readServed('mailsweep-worker', worker);
  database = openDatabase({ databaseUrl: stack.database });
});
afterAll(async () => {
  await database?.$disconnect();
  expect(await stack?.stop()).toBe(0);
});

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

interface Rule {
  alert: string;
  labels: { severity?: string };
  annotations: { summary?: string; runbook?: string };
}

const read = (path: string) => readFileSync(path, 'utf8');
const { groups } = parse(read('deploy/monitoring/alerts.yml')) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const guide = read('docs/OPERATIONS.md');

describe('each alert', () => {
  test.each(rules)(
    '$alert has severity, summary and an entry in docs/OPERATIONS.md',
    ({ alert, labels, annotations }) => {
      expect(['critical', 'warning']).toContain(labels.severity);
      expect(annotations.summary).toMatch(/^\S.*\.$/);
      expect(annotations.runbook).toBe(`docs/OPERATIONS.md#${alert.toLowerCase()}`);
      expect(guide).toContain(`\n### ${alert}\n`);
    },
  );

  test('in docs/OPERATIONS.md exists', () => {
    const named = guide.matchAll(/\b(Mailsweep[A-Z]\w+)/g);
    const alerts = new Set([...named].map(([, name]) => name));
    expect([...alerts].toSorted()).toEqual(rules.map(({ alert }) => alert).toSorted());
  });
});

describe('docs/OPERATIONS.md', () => {
  test('links to headings that exist', () => {
    const links = [...guide.matchAll(/\]\(([A-Z]*(?:\.md)?)#([\w-]+)\)/g)];
    expect(links.length).toBeGreaterThan(10);
    const toAnchor = (heading: string) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\w\- ]/g, '')
        .replaceAll(' ', '-');
    const dead = links.filter(([, file, anchor]) => {
      const text = file ? read(`docs/${file}`) : guide;
      return ![...text.matchAll(/^#+ (.*)$/gm)].some(([, heading = '']) => toAnchor(heading) === anchor);
    });
    expect(dead).toEqual([]);
  });

  test('names programs that exist', () => {
    const programs = [...guide.matchAll(/\bnode ((?:apps|packages)\/\S+\.ts)/g)].map(([, path = '']) => path);
    expect(programs.length).toBeGreaterThan(3);
    expect(programs.filter((path) => !existsSync(path))).toEqual([]);
  });

  test('quotes lines that the log has', () => {
    const sources = globSync('{apps,packages}/*/src/**/*.ts').map(read).join();
    const lines = [...guide.matchAll(/log (?:line|says why that fails:?) `([^`]+)`/g)].map(
      ([, line = '']) => line,
    );
    expect(lines.length).toBeGreaterThan(5);
    expect(lines.filter((line) => !sources.includes(line))).toEqual([]);
  });
});

const hasPromtool = spawnSync('promtool', ['--version']).status === 0;

test.runIf(hasPromtool)('Prometheus takes the rules, and they fire as they should', () => {
  const cwd = 'deploy/monitoring';
  execFileSync('promtool', ['check', 'config', 'prometheus.yml'], { cwd });
  execFileSync('promtool', ['test', 'rules', 'alerts.test.yml'], { cwd });
});

import { expect, it } from 'vitest';
import type { EvaluationReport } from '../evaluate-services.ts';
import { evaluate } from '../evaluation.ts';
import { toHtml } from './html-report.ts';

const HOSTILE = `"><script>alert('1')</script><img src=x onerror=alert(1)>&`;
const email = {
  id: 'one',
  from: HOSTILE,
  subject: HOSTILE,
  date: '2026-01-05T08:00:00.000Z',
  isRead: true,
  category: 'primary' as const,
  attachmentSizeMb: 0,
};
const suggestion = { action: HOSTILE, classification: HOSTILE, confidence_score: 0.75 };

const evaluateAs = (url: string) => {
  const { judged: _, ...figures } = evaluate(
    [{ email, actions: ['none'] }],
    new Map([['one', [suggestion]]]),
  );
  return { url, ...figures, wrongClears: [] };
};
const report: EvaluationReport = {
  emails: 1,
  services: [evaluateAs(`http://a.example/${HOSTILE}`), evaluateAs('http://b.example')],
  differences: [{ email, kind: HOSTILE, actions: ['none'], first: suggestion, second: null }],
};

it('escapes whatever emails and services say, and runs and loads nothing', () => {
  const page = toHtml(report);
  const tags = new Set([...page.matchAll(/<(\w+)/g)].map(([, name]) => name));
  for (const name of ['script', 'img', 'link', 'iframe']) expect(tags).not.toContain(name);
  expect(page).toContain('&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;');
  expect(page).toContain(`default-src 'none'`);
});

it('lists the emails that one service wrongly clears away', () => {
  const wrongClears = [{ email: { ...email, subject: 'Your ticket' }, actions: ['none'], suggestion }];
  const page = toHtml({
    ...report,
    services: [{ ...evaluateAs('http://a.example'), wrongClears }],
    differences: [],
  });
  expect(page).toContain('<bdi>Your ticket</bdi>');
});

it('shows the chart, the scores and the emails on which two services differ', () => {
  const page = toHtml(report);
  expect(page).toMatch(/<circle cx="270" cy="310" [^>]*><title>1 emails: confidence 0\.750, right 0\.000</);
  expect(page).toContain('Accuracy 0.000, expected calibration error 0.750.');
  expect(page.match(/class="wrong"/g)).toHaveLength(1);
  expect(page.match(/class="right"><bdi>none</g)).toHaveLength(1);
  const [service] = report.services;
  expect(toHtml({ ...report, services: service ? [service] : [], differences: [] })).not.toContain(
    'Where they differ',
  );
});

import { DEFAULT_PREFERENCES, type Rule, type RuleFile } from '@mailsweep/contracts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { renderAtRoute, toProblem } from '../testing/render-at-route.tsx';
import {
  findSenders,
  sampleCleanup,
  sampleRule,
  sampleSender,
  sampleSuggestionGroup,
} from '../testing/sample-email.ts';
import { RulesScreen } from './rules-screen.tsx';

describe('the rules screen', () => {
  it('says what a rule is for while there is none, and that the watch is off', async () => {
    renderRules([]);
    expect(await screen.findByText('No rules yet')).toBeTruthy();
    expect(await screen.findByText(/^Rules run only while Mailsweep keeps watching/)).toBeTruthy();
  });

  it('offers another try when the rules do not load', async () => {
    const { accept } = renderRules([sampleRule()], { isRefusing: true });
    const retry = await screen.findByRole('button', { name: 'Try again' });
    accept();
    await userEvent.click(retry);
    expect(await screen.findByText(NAME)).toBeTruthy();
  });

  it('says what a rule does, what it did, and that it has paused itself', async () => {
    renderRules([
      sampleRule({
        condition: { type: 'classification', classification: 'bulk', minConfidence: 0.9 },
        enabled: false,
        pausedReason: 'undone',
        ...ran(40, 4),
      }),
    ]);
    const card = await screen.findByRole('listitem');
    expect(within(card).getByText('Archive “Bulk email” after 7 days')).toBeTruthy();
    expect(
      within(card).getByText(/^Confidence of at least 90%\..+40 emails.+Undone: 4 emails\.$/),
    ).toBeTruthy();
    expect(within(card).getByText(/^Paused: /)).toBeTruthy();
  });

  it.each([
    [{}, /^Not run yet: it runs after the next check of your mailbox\.$/],
    [{ checkedAt: new Date().toISOString() }, /^No matching email yet, last checked just now\.$/],
    [{ enabled: false }, /^Not run yet\.$/],
  ])('says whether a rule without a run was checked: %j', async (change, text) => {
    renderRules([sampleRule(change)]);
    expect(await screen.findByText(text)).toBeTruthy();
  });

  it('switches a rule off, and on again once it was shown what it would do', async () => {
    const { sent, refuse, accept } = renderRules([sampleRule()]);
    const toggle = await screen.findByRole<HTMLInputElement>('switch', { name: `On: ${NAME}` });
    await userEvent.click(toggle);
    await waitFor(() => expect(sent).toEqual([['PATCH', { enabled: false }]]));
    await waitFor(() => expect(toggle.checked).toBe(false));
    await userEvent.click(toggle);
    const preview = await screen.findByRole('dialog', { name: NAME });
    expect(await within(preview).findByText('If it ran now: 12 emails.')).toBeTruthy();
    expect(within(preview).getByText(/2 that the rule acted on before, or that you put back/)).toBeTruthy();
    expect(toggle.checked).toBe(false);
    refuse();
    await userEvent.click(within(preview).getByRole('button', { name: 'Turn on' }));
    expect(await screen.findByText(/^Nothing was changed/)).toBeTruthy();
    accept();
    await userEvent.click(within(preview).getByRole('button', { name: 'Turn on' }));
    await waitFor(() => expect(sent.at(-1)).toEqual(['PATCH', { enabled: true }]));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(toggle.checked).toBe(true);
  });

  it('only shows in the preview what a rule would do, and runs it by a button of its own', async () => {
    const { sent } = renderRules([sampleRule()]);
    await userEvent.click(await screen.findByRole('button', { name: /^Preview: / }));
    const preview = await screen.findByRole('dialog', { name: NAME });
    const run = await within(preview).findByRole('button', { name: 'Run now' });
    expect(within(preview).queryByRole('button', { name: 'Turn on' })).toBeNull();
    await userEvent.click(within(preview).getAllByRole('button', { name: 'Close' }).at(-1) ?? run);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sent).toEqual([]);
    await userEvent.click(screen.getByRole('button', { name: /^Preview: / }));
    await userEvent.click(await screen.findByRole('button', { name: 'Run now' }));
    await waitFor(() => expect(sent).toEqual([['POST', { id: PLAN.id }]]));
  });

  it('changes age, action and confidence of a rule', async () => {
    const condition = { type: 'classification', classification: 'bulk', minConfidence: 0.83 } as const;
    const { sent } = renderRules([sampleRule({ condition, olderThan: 5, enabled: false })]);
    await userEvent.click(await screen.findByRole('button', { name: /^Edit: / }));
    const dialog = await screen.findByRole('dialog', { name: 'Edit rule' });
    expect(within(dialog).getByLabelText<HTMLSelectElement>('When').value).toBe('5');
    expect(within(dialog).getByLabelText<HTMLSelectElement>('Confidence').value).toBe('0.83');
    await userEvent.selectOptions(within(dialog).getByLabelText('When'), '30');
    await userEvent.selectOptions(within(dialog).getByLabelText('Confidence'), '0.95');
    await userEvent.selectOptions(within(dialog).getByLabelText('Action'), 'label');
    const save = within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Save' });
    expect(save.disabled).toBe(true);
    await userEvent.type(within(dialog).getByRole('textbox', { name: 'Label' }), ' Offers ');
    await userEvent.click(save);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sent).toEqual([
      [
        'PATCH',
        {
          olderThan: 30,
          action: 'label',
          label: 'Offers',
          condition: { ...condition, minConfidence: 0.95 },
        },
      ],
    ]);
  });

  it('keeps the newest emails of senders alone, and says so', async () => {
    const { sent } = renderRules([sampleRule({ olderThan: 7, keepNewest: 3, enabled: false })]);
    await userEvent.click(
      await screen.findByRole('button', { name: /^Edit: .* after 7 days, all but the newest 3$/ }),
    );
    const dialog = await screen.findByRole('dialog', { name: 'Edit rule' });
    const when = within(dialog).getByLabelText<HTMLSelectElement>('When');
    expect(when.selectedOptions[0]?.text).toBe('After 7 days, all but the newest 3');
    await userEvent.selectOptions(when, 'All but the newest 10');
    const save = within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Save' });
    await userEvent.click(within(dialog).getByLabelText(/^Kinds of email: 0/));
    const kind = await within(dialog).findByRole('checkbox', { name: 'Bulk email' });
    await userEvent.click(kind);
    expect(save.disabled).toBe(true);
    expect(within(dialog).getByText(/is for senders alone/)).toBeTruthy();
    await userEvent.click(kind);
    await userEvent.click(save);
    await waitFor(() => expect(sent).toMatchObject([['PATCH', { olderThan: 0, keepNewest: 10 }]]));
  });

  it('changes the senders of a rule, which is off until its preview was shown', async () => {
    const { sent } = renderRules([sampleRule()]);
    await userEvent.click(await screen.findByRole('button', { name: /^Edit: / }));
    const dialog = await screen.findByRole('dialog', { name: 'Edit rule' });
    const present = await within(dialog).findByRole<HTMLInputElement>('checkbox', { name: /^Garden & Home/ });
    expect(present.checked).toBe(true);
    expect(within(dialog).getByText('A changed rule is off until you turn it on again.')).toBeTruthy();
    await userEvent.click(within(dialog).getByRole('checkbox', { name: /^Sender 2 / }));
    await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }));
    const preview = await screen.findByRole('dialog', { name: NAME });
    const senders = ['a'.repeat(64), sampleSender(2).id];
    expect(sent).toMatchObject([
      ['PATCH', { condition: { type: 'any', senders, classifications: [] }, enabled: false }],
    ]);
    await userEvent.click(await within(preview).findByRole('button', { name: 'Turn on' }));
    await waitFor(() => expect(sent.at(-1)).toEqual(['PATCH', { enabled: true }]));
  });

  it('adds a kind of email to a rule about senders, with the usual confidence', async () => {
    const senders = [
      { sender: sampleSender(1).id, from: sampleSender(1).from },
      { sender: sampleSender(2).id, from: sampleSender(2).from },
    ];
    renderRules([sampleRule({ condition: { type: 'any', senders, classifications: [], minConfidence: 1 } })]);
    await userEvent.click(await screen.findByRole('button', { name: /^Edit: / }));
    const dialog = await screen.findByRole('dialog', { name: 'Edit rule' });
    await userEvent.click(within(dialog).getByLabelText(/^Kinds of email: 0/));
    await userEvent.click(await within(dialog).findByRole('checkbox', { name: 'Bulk email' }));
    expect(within(dialog).getByLabelText<HTMLSelectElement>('Confidence').value).toBe('0.9');
  });

  it('creates a rule for a sender that is found by its address', async () => {
    const { sent } = renderRules([]);
    await userEvent.click(await screen.findByRole('button', { name: 'New rule' }));
    const dialog = await screen.findByRole('dialog', { name: 'New rule' });
    const create = within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Create rule' });
    expect(create.disabled).toBe(true);
    await userEvent.type(await within(dialog).findByLabelText('Find a sender'), 'sender150@');
    await userEvent.click(await within(dialog).findByRole('checkbox', { name: /^Sender 150/ }));
    expect(within(dialog).getAllByRole('checkbox', { name: /^Sender \d/ })).toHaveLength(1);
    await userEvent.click(create);
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'New rule' })).toBeNull());
    const condition = { type: 'sender', sender: sampleSender(150).id };
    expect(sent).toEqual([['POST', { condition, olderThan: 7, action: 'archive', enabled: false }]]);
    expect(await screen.findByRole('button', { name: 'Turn on' })).toBeTruthy();
  });

  it('creates a rule for a kind of email with the chosen confidence', async () => {
    const { sent } = renderRules([]);
    await userEvent.click(await screen.findByRole('button', { name: 'New rule' }));
    const dialog = await screen.findByRole('dialog', { name: 'New rule' });
    await userEvent.click(within(dialog).getByLabelText(/^Kinds of email: /));
    await userEvent.click(await within(dialog).findByRole('checkbox', { name: 'Bulk email' }));
    await userEvent.selectOptions(within(dialog).getByLabelText('Confidence'), '0.75');
    await userEvent.click(within(dialog).getByRole('button', { name: 'Create rule' }));
    await waitFor(() =>
      expect(sent).toMatchObject([
        ['POST', { condition: { type: 'classification', classification: 'bulk', minConfidence: 0.75 } }],
      ]),
    );
  });

  it('creates one rule for several senders and kinds of email', async () => {
    const { sent } = renderRules([]);
    await userEvent.click(await screen.findByRole('button', { name: 'New rule' }));
    const dialog = await screen.findByRole('dialog', { name: 'New rule' });
    await userEvent.click(await within(dialog).findByRole('checkbox', { name: /^Sender 1 / }));
    await userEvent.click(await within(dialog).findByRole('checkbox', { name: /^Sender 2 / }));
    await userEvent.click(within(dialog).getByLabelText(/^Kinds of email: 0/));
    await userEvent.click(await within(dialog).findByRole('checkbox', { name: 'Bulk email' }));
    await userEvent.click(within(dialog).getByRole('button', { name: 'Create rule' }));
    const senders = [sampleSender(1).id, sampleSender(2).id];
    await waitFor(() =>
      expect(sent).toMatchObject([
        ['POST', { condition: { type: 'any', senders, classifications: ['bulk'], minConfidence: 0.9 } }],
      ]),
    );
  });

  it('names all senders and kinds of a rule', async () => {
    const from = 'Shop <shop@shop.example>';
    const senders = [{ sender: 'b'.repeat(64), from }];
    renderRules([
      sampleRule({ condition: { type: 'any', senders, classifications: ['bulk'], minConfidence: 0.9 } }),
    ]);
    expect(await screen.findByText('Archive email: Shop, “Bulk email” (after 7 days)')).toBeTruthy();
    expect(screen.getByText(/^Confidence of at least 90%\./)).toBeTruthy();
  });

  it('says that an undo is in progress until the worker is done', async () => {
    const { finishUndo } = renderRules([sampleRule(ran(40, 0))]);
    await userEvent.click(await screen.findByRole('button', { name: /^Undo all runs/ }));
    const card = screen.getByRole('listitem');
    expect(await within(card).findByText('Undoing 3 runs…')).toBeTruthy();
    expect(within(card).getByRole<HTMLButtonElement>('button', { name: /^Undo all runs/ }).disabled).toBe(
      true,
    );
    expect(screen.queryByText('All runs are undone')).toBeNull();
    finishUndo();
    expect(await screen.findByText('All runs are undone', {}, { timeout: 5_000 })).toBeTruthy();
    await waitFor(() => expect(within(card).queryByText(/^Undoing/)).toBeNull());
  });

  it('hands rules over in a file, and says what is left out and what differs', async () => {
    const saved: Blob[] = [];
    vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
      saved.push(blob as Blob);
      return 'blob:rules';
    });
    const { requests } = renderRules([sampleRule()]);
    await userEvent.click(await screen.findByRole('button', { name: 'Export…' }));
    const dialog = await screen.findByRole('dialog', { name: 'Export rules' });
    expect(await within(dialog).findByText('No rule can be exported.')).toBeTruthy();
    const left = within(dialog).getByRole('list', { name: 'Left out' });
    expect(left.textContent).toBe(`${NAME}: it waits some days, and there rules act at once`);
    const download = within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Download' });
    expect(download.disabled).toBe(true);
    await userEvent.click(within(dialog).getByRole('radio', { name: 'Sieve' }));
    expect(await within(dialog).findByText('1 rule is in the file.')).toBeTruthy();
    expect(within(dialog).getByRole('list', { name: 'What differs' }).textContent).toMatch(/new email/);
    await userEvent.click(download);
    expect(await saved[0]?.text()).toBe('stop;');
    await userEvent.selectOptions(within(dialog).getByLabelText('Rules'), sampleRule().id);
    await waitFor(() =>
      expect(requests.at(-1)).toBe(`GET /api/v1/rules/export?format=sieve&ruleId=${sampleRule().id}`),
    );
  });

  it('deletes a rule, and makes it again', async () => {
    const { sent } = renderRules([sampleRule()]);
    await userEvent.click(await screen.findByRole('button', { name: /^Delete: / }));
    expect(await screen.findByText('No rules yet')).toBeTruthy();
    await userEvent.click(await screen.findByRole('button', { name: /^Undo/ }));
    expect(await screen.findByText(NAME)).toBeTruthy();
    expect(sent).toMatchObject([
      ['DELETE', {}],
      ['POST', { olderThan: 7, action: 'archive', enabled: true }],
    ]);
  });
});

/** What any rule would do. */
const PLAN = sampleCleanup({
  total: 12,
  plannedActions: { archive: 12 },
  excluded: { handled: 2 },
});
const NAME = 'Archive email from Garden & Home after 7 days';
const SENDERS = Array.from({ length: 150 }, (_, index) => sampleSender(index + 1));

/** What a run leaves on a rule. */
const ran = (actions: number, undone: number): Partial<Rule> => ({
  lastRun: {
    at: '2026-01-31T09:30:00.000Z',
    cleanupId: '01900000-0000-7000-8000-000000000003',
    batchId: '01900000-0000-7000-8000-000000000004',
    state: 'completed',
    actions,
    undone,
  },
  counts: { since: '2026-01-31T09:30:00.000Z', runs: 3, actions, undone },
});

const toPage = (data: unknown[], page = 1) => ({
  total: data.length,
  page,
  perPage: 100,
  data: data.slice((page - 1) * 100, page * 100),
});

const toFile = (hasRule: boolean): RuleFile => ({
  fileName: 'mailsweep.sieve',
  mediaType: 'application/sieve',
  content: 'stop;',
  exported: hasRule ? [sampleRule().id] : [],
  leftOut: hasRule ? [] : [{ ruleId: sampleRule().id, reasons: ['age'] }],
  differences: hasRule ? ['arrival'] : [],
});

/** The screen with an API that stores requests or refuses them. */
const renderRules = (rules: Rule[], { isRefusing = false } = {}) => {
  let stored = rules;
  const sent: [string, unknown][] = [];
  const update = (change: Partial<Rule>) => {
    stored = stored.map((rule) => ({ ...rule, ...change }));
    return stored[0];
  };
  const { requests } = renderAtRoute(
    RulesScreen,
    ({ pathname, searchParams }, method, body) => {
      if (pathname.endsWith('/preferences')) return DEFAULT_PREFERENCES;
      if (isRefusing) return toProblem(503, 'service_unavailable');
      if (pathname.endsWith('/preview')) return PLAN;
      if (pathname.endsWith('/emails')) return toPage([]);
      if (pathname.endsWith('/run')) {
        sent.push([method, { id: PLAN.id }]);
        return { ...PLAN, state: 'completed', changed: 12, changedActions: { archive: 12 } };
      }
      if (pathname.endsWith('/undo')) return update({ undoing: 3, enabled: false });
      if (pathname.endsWith('/senders'))
        return {
          ...toPage(findSenders(SENDERS, searchParams.get('search'))),
          complete: true,
          scannedAt: null,
        };
      if (pathname.endsWith('/groups')) {
        const group = sampleSuggestionGroup({ by: 'classification', key: 'bulk', classification: 'bulk' });
        const confidence = { sure: 1, likely: 0, check: 0 };
        return { ...toPage([group]), emails: 1, actions: {}, confidence, complete: true, scannedAt: null };
      }
      if (pathname.endsWith('/export')) return toFile(searchParams.get('format') === 'sieve');
      if (method === 'GET') return pathname.endsWith('/rules') ? toPage(stored) : stored[0];
      sent.push([method, body]);
      if (method === 'DELETE') {
        stored = [];
        return new Response(null, { status: 204 });
      }
      if (method === 'PATCH') {
        const { enabled } = body as { enabled?: boolean };
        return update(enabled === undefined ? {} : { enabled });
      }
      stored = [sampleRule({ enabled: (body as { enabled: boolean }).enabled })];
      return stored[0];
    },
    '/rules',
  );
  return {
    sent,
    requests,
    refuse: () => {
      isRefusing = true;
    },
    accept: () => {
      isRefusing = false;
    },
    finishUndo: () => update({ undoing: 0, ...ran(40, 40) }),
  };
};

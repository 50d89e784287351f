import { type MlRequestItem, SuggestionSchema } from '@mailsweep/contracts';
import { describe, expect, it } from 'vitest';
import { classifyEmail } from './classify-email.ts';

describe('old promotions', () => {
  it('are archived after a month', () => {
    expect(classify({ category: 'promotions', ageDays: 29, isRead: true })).toEqual([]);
    expect(classify({ category: 'promotions', ageDays: 31, isRead: true })).toMatchObject([
      { action: 'archive', classification: 'promotions_old' },
    ]);
  });

  it('are deleted once they have been unread for a year', () => {
    expect(suggested({ category: 'promotions', ageDays: 364 })).not.toContain('delete promotions_old');
    expect(suggested({ category: 'promotions', ageDays: 366 })).toContain('delete promotions_old');
  });

  it('are best deleted when they are three years old', () => {
    expect(suggested({ category: 'promotions', ageDays: 1_100, from: 'news@shop.example' })[0]).toBe(
      'delete promotions_old',
    );
  });

  it.each<[string, Partial<Scenario>]>([
    ['was read', { isRead: true }],
    ['carries an attachment', { attachmentSizeMb: 0.1 }],
    ['reads like a receipt', { subject: 'Your receipt from the Tea Shop' }],
    ['lies in another category', { category: 'updates' }],
  ])('are not deleted when the mail %s', (_circumstance, scenario) => {
    const actions = suggested({ category: 'promotions', ageDays: 2_000, ...scenario });
    expect(actions.filter((action) => action.startsWith('delete'))).toEqual([]);
  });
});

describe('stale unread mail', () => {
  it('is archived after two months', () => {
    expect(suggested({ category: 'forums', ageDays: 59 })).toEqual([]);
    expect(suggested({ category: 'forums', ageDays: 61 })).toEqual(['archive stale_unread']);
  });

  it('is left alone once it was read', () => {
    expect(suggested({ ageDays: 500, isRead: true })).toEqual([]);
  });
});

describe('bulk mail', () => {
  it.each([
    'Shop <newsletter@shop.example>',
    'news@shop.example',
    '"Deals, daily" <deals@shop.example>',
    'marketing+weekly@shop.example',
    'hello@email.mailer.shop.example',
    'OFFERS@SHOP.EXAMPLE',
  ])('is archived after two days: %s', (from) => {
    expect(suggested({ from, ageDays: 1, isRead: true })).toEqual([]);
    expect(suggested({ from, ageDays: 3, isRead: true })).toEqual(['archive bulk']);
  });

  it.each([
    'no-reply@shop.example',
    'noreply-orders@shop.example',
    'do_not_reply@shop.example',
    'Bank <nicht.antworten@bank.example>',
  ])('of a machine is archived after a week, in the primary category not once it was read: %s', (from) => {
    expect(suggested({ from, ageDays: 8, category: 'promotions' })).toEqual(['archive bulk']);
    expect(suggested({ from, ageDays: 500, isRead: true, category: 'primary' })).toEqual([]);
  });

  it.each([
    'Jane News <jane@paper.example>',
    'jane@news.example',
    'newsam@paper.example',
    'newsletter',
    '<>',
    '',
    '@',
    `${'<'.repeat(100_000)}news@shop.example`,
    `${'a'.repeat(100_000)}@shop.example`,
  ])('is not seen in a sender like %j', (from) => {
    expect(suggested({ from, ageDays: 50, isRead: true })).toEqual([]);
  });
});

describe('recurring notifications', () => {
  it.each(['social', 'forums', 'updates'] as const)('in %s are archived after two weeks', (category) => {
    const notice = { category, from: 'notifications@connect.example', subject: 'Your weekly figures' };
    expect(suggested({ ...notice, ageDays: 13, isRead: true })).not.toContain(
      'archive recurring_notification',
    );
    expect(suggested({ ...notice, ageDays: 15, isRead: true })).toContain('archive recurring_notification');
  });

  it.each([
    ['A payee was added', 'noreply@bank.example', []],
    ['A payee was added', 'newsletter@bank.example', ['archive bulk', 'archive recurring_notification']],
    [
      'Ihr Paket wurde zugestellt',
      'noreply@paket.example',
      ['archive recurring_notification', 'archive bulk'],
    ],
    [
      'Re: [acme/web] Fix the menu (#4)',
      'notifications@code.example',
      ['archive recurring_notification', 'archive bulk'],
    ],
  ])('in updates are archived only where nobody would miss them: %s from %s', (subject, from, expected) => {
    expect(suggested({ category: 'updates', from, subject, ageDays: 50, isRead: true })).toEqual(expected);
  });

  it('are not seen where a person writes', () => {
    expect(
      suggested({ category: 'forums', from: 'ann@lists-home.example', ageDays: 40, isRead: true }),
    ).toEqual([]);
  });
});

describe('large attachments', () => {
  it('of half a year ago are labelled, neither archived nor deleted', () => {
    const scenario = { attachmentSizeMb: 12, isRead: true };
    expect(suggested({ ...scenario, ageDays: 179 })).toEqual([]);
    expect(suggested({ ...scenario, ageDays: 181 })).toEqual(['label large_attachment']);
    expect(suggested({ ...scenario, ageDays: 181, attachmentSizeMb: 9.9 })).toEqual([]);
  });
});

describe('receipts', () => {
  it.each([
    'Your receipt from the Tea Shop',
    'Invoice #4411',
    'Ihre Stromrechnung für Mai',
    'Votre facture est disponible',
    'Factura de junio',
    'Ricevuta di pagamento',
    'Twoja faktura VAT',
    'Ваш счёт за май',
    'חשבונית מס 1029',
    'فاتورة الكهرباء',
    '【領収書】ご購入ありがとうございます',
    '您的电子发票',
  ])('are labelled in any of many languages: %s', (subject) => {
    expect(suggested({ subject, ageDays: 0 })).toEqual(['label receipt']);
  });

  it.each(['Invoicing workshop', 'Receiptless returns', 'Lunch on Friday?', 'Chicken recipes'])(
    'are not seen in "%s"',
    (subject) => {
      expect(suggested({ subject, ageDays: 0 })).toEqual([]);
    },
  );

  it('are not seen in advertising', () => {
    expect(suggested({ subject: 'Your invoice for savings!', category: 'promotions', ageDays: 0 })).toEqual(
      [],
    );
  });

  it('are the surer the more signs there are', () => {
    const subject = 'Your receipt';
    const scores = [
      classify({ subject, ageDays: 0 }),
      classify({ subject, ageDays: 0, category: 'updates' }),
      classify({ subject, ageDays: 0, category: 'updates', from: 'no-reply@shop.example' }),
      classify({
        subject,
        ageDays: 0,
        category: 'updates',
        from: 'no-reply@shop.example',
        attachmentSizeMb: 0.1,
      }),
    ].map(([first]) => first?.confidence_score ?? 0);
    expect(scores).toEqual(scores.toSorted((a, b) => a - b));
    expect(new Set(scores).size).toBe(4);
  });
});

describe('urgent alerts', () => {
  it.each([
    ['Security alert: new sign-in from Lisbon', 'security_alert'],
    ['Neue Anmeldung bei Ihrem Konto', 'security_alert'],
    ['Payment due tomorrow', 'payment_due'],
    ['Rappel de paiement', 'payment_due'],
    ['Flight delayed: TP 123', 'travel_alert'],
    ['Your boarding pass is ready', 'travel_alert'],
  ])('are told of while they are fresh and unread: %s', (subject, classification) => {
    expect(suggested({ subject, ageDays: 1 })).toEqual([`notify ${classification}`]);
    expect(suggested({ subject, ageDays: 1, isRead: true })).toEqual([]);
    expect(suggested({ subject, ageDays: 8 })).toEqual([]);
    expect(suggested({ subject, ageDays: 1, category: 'promotions' })).toEqual([]);
  });

  it('are never cleared away at the same time', () => {
    const scenario = { subject: 'Security alert', from: 'mailer@bank.example', ageDays: 5 };
    expect(suggested(scenario)).toEqual(['notify security_alert']);
  });
});

describe('email to keep', () => {
  const old = { ageDays: 500, category: 'updates', from: 'no-reply@bank.example' } as const;

  it('is not cleared away when it is personal, however long it was left unread', () => {
    expect(suggested({ from: 'Dana Levi <dana@studio.example>', ageDays: 500 })).toEqual([]);
  });

  it.each([
    'Your password was changed',
    'Ihr Passwort wurde geändert',
    'Invitation: Budget review',
    'Einladung: Jahresgespräch',
  ])('is not cleared away for what it is about: %s', (subject) => {
    const social = { ...old, category: 'social' } as const;
    expect(suggested({ ...social, subject: 'Hello' })).not.toEqual([]);
    expect(suggested({ ...social, subject })).toEqual([]);
  });

  it('is not cleared away when it is a receipt or a document, unless it is advertising', () => {
    expect(suggested({ ...old, subject: 'Your receipt' })).toEqual(['label receipt']);
    expect(suggested({ ...old, attachmentSizeMb: 0.2 })).toEqual([]);
    expect(suggested({ ...old, subject: 'Your receipt', category: 'promotions' })[0]).toBe(
      'archive promotions_old',
    );
  });
});

describe('mail from people', () => {
  it.each(['Lunch on Friday?', 'Re: plans', '', '😀', 'תזכורת: פגישה מחר', 'Пароль от домофона'])(
    'that is fresh gets no suggestion: %j',
    (subject) => {
      expect(
        suggested({ from: 'Dana Levi <dana@studio.example>', subject, ageDays: 3, attachmentSizeMb: 24 }),
      ).toEqual([]);
    },
  );
});

describe('dates that tell nothing', () => {
  it.each(['1970-01-01T00:00:00.000Z', '0000-01-01T00:00:00Z', '2999-12-31T23:59:59Z', 'yesterday', ''])(
    'count as no age at all: %j',
    (date) => {
      const item = { ...toItem({ category: 'promotions', from: 'news@shop.example' }), date };
      expect(classifyEmail(item, now)).toEqual([]);
    },
  );

  it('do not include those with an offset or from years ago', () => {
    const item = { ...toItem({ category: 'promotions' }), date: '2019-05-01T23:30:00.000+05:30' };
    expect(classifyEmail(item, now)[0]).toMatchObject({ classification: 'promotions_old' });
  });
});

describe('the suggestions for one email', () => {
  it('are the three most confident, most confident first', () => {
    const suggestions = classify({
      category: 'updates',
      from: 'newsletter@shop.example',
      ageDays: 400,
      attachmentSizeMb: 30,
      subject: 'Issue 112',
    });
    expect(suggestions).toHaveLength(3);
    const scores = suggestions.map((suggestion) => suggestion.confidence_score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    for (const suggestion of suggestions) expect(SuggestionSchema.parse(suggestion)).toEqual(suggestion);
  });
});

interface Scenario extends Omit<MlRequestItem, 'id' | 'date'> {
  ageDays: number;
}

const now = new Date('2026-06-02T12:00:00.000Z');

const toItem = ({ ageDays = 0, ...fields }: Partial<Scenario>): MlRequestItem => ({
  id: '18c2f0a1b2c3d4e5',
  from: 'Ann Berg <ann@berg.example>',
  subject: 'Hello',
  isRead: false,
  category: 'primary',
  attachmentSizeMb: 0,
  date: new Date(now.getTime() - ageDays * 86_400_000).toISOString(),
  ...fields,
});

const classify = (scenario: Partial<Scenario>) => classifyEmail(toItem(scenario), now);

const suggested = (scenario: Partial<Scenario>) =>
  classify(scenario).map(({ action, classification }) => `${action} ${classification}`);

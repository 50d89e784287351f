import { type MlRequestItem, MlSuggestionSchema } from '@mailsweep/contracts';
import { describe, expect, it } from 'vitest';
import { classifyEmail } from './classify-email.ts';

describe('email that was sent to many', () => {
  const offer = {
    from: 'Shop <newsletter@shop.example>',
    subject: '20% off shoes',
    category: 'promotions',
  } as const;

  it('is archived from the third day on', () => {
    expect(suggested({ ...offer, ageDays: 2 })).toEqual([]);
    expect(suggested({ ...offer, ageDays: 4 })).toEqual(['archive bulk']);
    expect(suggested({ ...offer, ageDays: 40, isRead: true })).toEqual(['archive promotions_old']);
  });

  it('is deleted only as a promotion that was left unread for a year', () => {
    expect(suggested({ ...offer, ageDays: 364 })).toEqual(['archive promotions_old']);
    expect(suggested({ ...offer, ageDays: 366 })).toEqual([
      'archive promotions_old',
      'delete promotions_old',
    ]);
    expect(suggested({ ...offer, ageDays: 1_000 })[0]).toBe('delete promotions_old');
    for (const other of [{ isRead: true }, { category: 'updates' as const }, { attachmentSizeMb: 0.1 }])
      expect(suggested({ ...offer, ageDays: 800, ...other }).join()).not.toContain('delete');
  });

  it.each([
    ['LinkedIn <notifications@network.example>', '5 people viewed your profile', 'social'],
    ['楽しい暮らし <news@kurashi.example>', '【20%オフ】春のキッチン特集', 'promotions'],
    ['Job Alerts <alerts@jobs.example>', '12 new jobs for you: gardener', 'updates'],
    ['Paketdienst <noreply@paket.example>', 'Ihr Paket wurde zugestellt', 'updates'],
  ] as const)('is found in many forms: %s', (from, subject, category) => {
    expect(suggested({ from, subject, category, ageDays: 40 }).join()).toContain('archive');
  });
});

describe('an offer signed with a personal name', () => {
  const offer = { from: 'Dana Levi <dana@studio.example>', subject: 'Last hours: 50% off all courses' };

  it('is archived where the provider files it among offers, and comes from a domain of its own', () => {
    expect(suggested({ ...offer, category: 'promotions', ageDays: 40 })).toEqual(['archive promotions_old']);
    expect(suggested({ ...offer, category: 'primary', ageDays: 40 })).toEqual([]);
    const from = 'Dana Levi <dana.levi@gmail.com>';
    expect(suggested({ ...offer, from, category: 'promotions', ageDays: 40 })).toEqual([]);
  });
});

describe('email of somebody who writes for a firm', () => {
  const offer = { subject: 'Last hours: 50% off all courses', category: 'updates', ageDays: 40 } as const;

  it('is archived where the name and the domain have the firm, too', () => {
    const from = 'Dana, Studio Levi <dana@studiolevi.example>';
    expect(suggested({ ...offer, from })).toEqual(['archive bulk']);
    expect(suggested({ ...offer, from: 'Dana Levi <dana@workshops.example>' })).toEqual([]);
  });

  it.each([
    'José Ruiz <jmruiz@ruiz-talleres.example>',
    'Murat Aydin <aydin@aydin-mill.example>',
    'Murat Aydin <murataydin@mill.example>',
  ])('is kept where its address is made of a surname: %s', (from) => {
    expect(suggested({ ...offer, from })).toEqual([]);
  });
});

describe('email from a firm that sells leads', () => {
  const email = { from: 'Tom Reed <tom@leadsmith.example>', category: 'primary', ageDays: 60 } as const;

  it('is archived as cold outreach where it has words of sales, too', () => {
    expect(suggested({ ...email, subject: 'Quick question about your pipeline' })).not.toEqual([]);
    expect(suggested({ ...email, subject: 'Lunch?' })).toEqual([]);
  });
});

describe('a newsletter in the name of its author', () => {
  const newsletter = {
    subject: 'Issue 84: the week in open source',
    category: 'updates',
    ageDays: 40,
  } as const;

  it('is archived where it comes from a platform for newsletters', () => {
    expect(suggested({ ...newsletter, from: 'Ann Lee <annlee@substack.com>' })).toEqual(['archive bulk']);
    expect(suggested({ ...newsletter, from: 'Ann Lee <annlee@lee.example>' })).toEqual([]);
  });
});

describe('notices of machines', () => {
  const notice = {
    from: 'Circle <notifications@circle.example>',
    subject: 'Lena liked your photo',
    category: 'social',
  } as const;

  it('are archived after two weeks, and called stale where they were unread for two months', () => {
    expect(suggested({ ...notice, ageDays: 13 })).toEqual([]);
    expect(suggested({ ...notice, ageDays: 15 })).toEqual(['archive recurring_notification']);
    expect(suggested({ ...notice, ageDays: 61 })).toEqual(['archive stale_unread']);
  });
});

describe('email to keep', () => {
  it.each([
    'We received your return',
    'Ihre Punkte verfallen am 30. Juni',
    'Votre garantie est enregistrée',
    'Tus puntos caducan pronto',
    'È il momento del controllo dentale',
    'Je retour is aangemeld',
    'Twoje punkty wygasają',
    'ポイントの有効期限が近づいています',
    '您的积分即将到期',
    '포인트가 소멸됩니다',
    'Security alert: new sign-in from Lisbon',
    'Ihr Passwort wurde geändert',
    'Connexion depuis un nouvel appareil',
    'Actualizamos nuestros términos y condiciones',
    'Il tuo abbonamento si rinnova il 3 giugno',
    'O seu pagamento foi recusado',
    'Je abonnement wordt verlengd',
    'Zmiana regulaminu sklepu',
    'パスワード変更のお知らせ',
    'Invitation: Budget review @ Mon 3pm',
    'Your subscription renews on June 3 for $99',
    'Your appointment on 3 June is confirmed',
    'Ihr Kontoauszug ist da',
    '418220 is your sign-in code',
    'Save the date: your tax return was accepted',
    'Veuillez signer votre contrat, offre comprise',
    'Tu vuelo IB 3112 ha cambiado de horario',
    'Il referto è disponibile',
    'O seu pacote: novo preço a partir de março',
    'Je polisblad voor 2026',
    '本日お届け予定の荷物があります',
    'Paczka czeka w automacie',
    'Ditt paket är på väg',
    'Poliçeniz yenileniyor',
    '您的包裹正在派送',
    '오늘 도착 예정입니다',
    'Your wool throw has shipped',
    'Sua mochila foi enviada',
    'Je rugzak is verzonden',
    'Il tuo profilo è pronto',
    'Deine Karte will nicht',
    'Mille mercis, MH-8821 !',
  ])('is not cleared, wherever it is filed: %s', (subject) => {
    for (const category of ['promotions', 'social', 'updates', 'forums', 'primary'] as const)
      for (const from of ['no-reply@service.example', 'Service <news@e.service.example>'])
        expect(suggested({ subject, category, from, ageDays: 500 }).join()).not.toMatch(/archive|delete/);
  });

  it.each([
    'Lunch on Friday?',
    'Re: plans',
    '',
    '😀',
    'Last chance: 50% off my old bike',
    'Newsletter from grandpa',
  ])('is what a person writes, however long it was left unread: %j', (subject) => {
    for (const from of ['Dana Levi <dana.levi@gmail.com>', 'Dana Levi <dana@studio.example>'])
      expect(suggested({ from, subject, ageDays: 500 })).toEqual([]);
  });
});

describe('offers of strangers', () => {
  it.each([
    ['Olivia Grant <olivia.grant@rankbeacon.example>', 'SEO errors on your website'],
    ['Chloe Bennett <chloe@linkloom.example>', 'Guest post on your site, do-follow backlinks'],
    ['Vanessa Krüger <vanessa@werbehaus.example>', 'Qualifizierte Leads für Ihr Unternehmen'],
  ])('are archived, though a person seems to write: %s', (from, subject) => {
    expect(suggested({ from, subject, ageDays: 40 })).toEqual(['archive recurring_notification']);
    expect(suggested({ from, subject: `Re: ${subject}`, ageDays: 40 })).toEqual([]);
  });

  it.each(['Quick question', '15 minutes next week?', 'Following up on my last email', 'Kurze Frage'])(
    'are not seen in what a colleague may write: %s',
    (subject) => {
      expect(suggested({ from: 'Dana Levi <dana.levi@studio.example>', subject, ageDays: 40 })).toEqual([]);
    },
  );
});

describe('receipts', () => {
  it.each([
    ['Your receipt from the Tea Shop', 'promotions'],
    ['Bestellbestätigung Nr. 88121', 'updates'],
    ['Votre facture est disponible', 'updates'],
    ['【領収書】ご購入ありがとうございます', 'updates'],
  ] as const)('are labelled, also among promotions: %s', (subject, category) => {
    expect(suggested({ from: 'Shop <no-reply@shop.example>', subject, category, ageDays: 40 })).toEqual([
      'label receipt',
    ]);
  });

  it('are not seen in advertising that borrows their words', () => {
    const [first] = suggested({
      from: 'Wine <offers@wine.example>',
      subject: 'Your invoice for savings!',
      category: 'promotions',
    });
    expect(first).toBeUndefined();
  });
});

describe('calls for action', () => {
  it.each([
    ['Security alert: new sign-in on an Android phone', 'security_alert'],
    ['Neue Anmeldung bei Ihrem Konto', 'security_alert'],
    ['Payment failed: update your card', 'payment_due'],
    ['Your flight TP 123 has been cancelled', 'travel_alert'],
  ])('are told of while they are fresh and unread: %s', (subject, classification) => {
    const alert = { from: 'Service <no-reply@service.example>', subject, category: 'updates' } as const;
    expect(suggested({ ...alert, ageDays: 1 })).toEqual([`notify ${classification}`]);
    expect(suggested({ ...alert, ageDays: 1, isRead: true })).toEqual([]);
    expect(suggested({ ...alert, ageDays: 8 })).toEqual([]);
  });
});

describe('large attachments', () => {
  it('of half a year ago are labelled', () => {
    const scenario = { from: 'Nina Vogt <nina.vogt@uni.example>', attachmentSizeMb: 12, isRead: true };
    expect(suggested({ ...scenario, ageDays: 179 })).toEqual([]);
    expect(suggested({ ...scenario, ageDays: 181 })).toEqual(['label large_attachment']);
    expect(suggested({ ...scenario, ageDays: 181, attachmentSizeMb: 9.9 })).toEqual([]);
  });
});

describe('dates that tell nothing', () => {
  it.each(['1970-01-01T00:00:00.000Z', '0000-01-01T00:00:00Z', '2999-12-31T23:59:59Z', 'yesterday', ''])(
    'count as no age at all: %j',
    (date) => {
      const item = {
        ...toItem({ category: 'promotions', from: 'news@shop.example', subject: 'Sale' }),
        date,
      };
      expect(classifyEmail(item, now)).toEqual([]);
    },
  );
});

describe('a suggestion', () => {
  it('has its three strongest reasons, in words', () => {
    const [best] = classifyEmail(
      toItem({
        from: 'Shop <newsletter@shop.example>',
        subject: 'Weekend sale',
        category: 'promotions',
        ageDays: 40,
      }),
      now,
    );
    expect(MlSuggestionSchema.parse(best)).toEqual(best);
    expect(best?.reason?.split(', ')).toHaveLength(3);
    expect(best?.reason).toMatch(
      /“newsletter” in the sender’s address|words about offers|the category promotions/,
    );
  });

  it.each([
    'newsletter',
    '<>',
    '@',
    `${'<'.repeat(100_000)}news@shop.example`,
    `${'a'.repeat(100_000)}@shop.example`,
  ])('is made from a sender like %j, too', (from) => {
    expect(
      classifyEmail(toItem({ from, subject: 'x'.repeat(100_000), ageDays: 50 }), now).length,
    ).toBeLessThan(4);
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

const suggested = (scenario: Partial<Scenario>) =>
  classifyEmail(toItem(scenario), now).map(({ action, classification }) => `${action} ${classification}`);

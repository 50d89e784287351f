import { attach, file, type MailStream, newsletter } from './mail-stream.ts';

/** Social networks, groups and mailing lists. */
export const SOCIAL_AND_FORUMS: readonly MailStream[] = [
  newsletter('Connectly <notifications@connectly.example>', {
    category: 'social',
    perMonth: 4,
    read: 0.2,
    bodyKb: [18, 36],
    subjects: [
      '{item} wants to connect',
      'You appeared in {n} searches this week',
      '{item} commented on your post',
    ],
    items: ['Grace Hopper', 'Mary Somerville', 'Charles B.', 'Sofía García'],
    texts: ['See what people in your network are talking about.'],
  }),
  newsletter('Picnic Photos <noreply@picnicphotos.example>', {
    category: 'social',
    perMonth: 2,
    read: 0.25,
    bodyKb: [20, 60],
    subjects: [
      '{n} new photos in “Family summer”',
      'On this day, two years ago 📷',
      '{item} shared an album with you',
    ],
    items: ['Anne', 'Byron', 'Uncle Ralph'],
    texts: ['Open the album to see the pictures, or save them before they go in 30 days.'],
  }),
  newsletter('Neighbours of Elm Street <digest@neighbours.example>', {
    wayOut: 'link',
    category: 'social',
    perMonth: 1.6,
    read: 0.4,
    bodyKb: [12, 30],
    subjects: [
      'Found: a grey cat with a red collar',
      'Street party, tables for {n} 🎉',
      'Who has a ladder to lend?',
    ],
    texts: ['Three new posts near you. Answer on the board, not to this address.'],
  }),
  newsletter('Riverside Chess Club <list@riverside-chess.example>', {
    wayOut: 'mailto',
    category: 'forums',
    perMonth: 1.8,
    read: 0.5,
    bodyKb: [4, 10],
    threadLength: 4,
    subjects: [
      '[chess] Pairings for round {n}',
      '[chess] Analysis of board {n}',
      '[chess] Summer tournament',
    ],
    texts: ['Hello all, please look at move {n}: I think that the bishop was lost there.'],
  }),
  newsletter('numerics-users <numerics-users@lists.example>', {
    wayOut: 'broken_signature',
    category: 'forums',
    perMonth: 3.2,
    read: 0.35,
    bodyKb: [5, 14],
    threadLength: 6,
    subjects: [
      '[numerics] Bernoulli numbers overflow at n={n}',
      '[numerics] RFC: new rounding mode',
      '[numerics] Release {n}.0',
    ],
    texts: ['I can reproduce this with version {n}. The loop that sums the series loses precision.'],
    attachments: attach(
      0.06,
      file('fix-rounding.patch', 'text/x-patch', 2, 20),
      file('benchmark.csv', 'text/csv', 40, 900),
    ),
  }),
];

/** Shops, newsletters and offers. */
export const PROMOTIONS: readonly MailStream[] = [
  newsletter('Bloom & Vine <hello@bloomandvine.example>', {
    category: 'promotions',
    perMonth: 2.5,
    read: 0.1,
    subjects: ['{n}% off spring bulbs, this weekend only 🌷', 'Your garden misses you', 'New in: {item}'],
    items: ['dahlias', 'climbing roses', 'herb starter kits', 'peonies'],
    texts: ['Plant now, thank yourself in June. Our {n}% offer ends on Sunday at midnight.'],
  }),
  newsletter('Northwind Outfitters <deals@northwind-outfitters.example>', {
    category: 'promotions',
    perMonth: 3,
    read: 0.08,
    subjects: ['FINAL HOURS: {n}% off everything', 'Members only: early access', 'Back in stock: {item} ⛰️'],
    items: ['the Ridge jacket', 'merino socks', 'the 30 l daypack', 'trail shoes'],
    texts: ['Free shipping over {amount}. Use the code TRAIL{n} when you pay.'],
  }),
  newsletter('Pixel Deals Weekly <newsletter@pixeldeals.example>', {
    category: 'promotions',
    perMonth: 4,
    read: 0.05,
    subjects: [
      'This week: {n} laptops under {amount}',
      '🔥 {n} deals our editors would buy',
      'Price drop: {item}',
    ],
    items: ['noise-cancelling headphones', 'a 4K monitor', 'mechanical keyboards', 'SSD bundles'],
    texts: ['Hand-picked, checked twice, gone by Friday. Prices were right when we sent this.'],
  }),
  newsletter('Casa Lindo <ofertas@casalindo.example>', {
    category: 'promotions',
    perMonth: 1.2,
    read: 0.15,
    subjects: [
      '¡Rebajas de verano! Hasta un {n} % de descuento',
      'Novedades para tu salón',
      '¿Te lo vas a perder?',
    ],
    texts: ['Este fin de semana, envío gratis a partir de {amount}. ¡Te esperamos!'],
  }),
  newsletter('Bücherwelt <newsletter@buecherwelt.example>', {
    category: 'promotions',
    perMonth: 1.2,
    read: 0.25,
    subjects: [
      'Neue Krimis für lange Abende',
      '{n} % auf Hörbücher – nur bis Sonntag',
      'Für Sie ausgewählt: {item}',
    ],
    items: ['Bestseller im Herbst', 'Kochbücher', 'Reiseführer für Österreich'],
    texts: ['Liebe Leserin, unsere Buchhändler empfehlen Ihnen diesen Monat besonders schöne Titel.'],
  }),
  newsletter('楽しい暮らし <news@tanoshii-kurashi.example>', {
    category: 'promotions',
    perMonth: 0.6,
    read: 0.1,
    subjects: ['【{n}%オフ】春のキッチン特集', '新商品のお知らせ：急須と湯呑み', '週末限定セール開催中🍵'],
    texts: ['いつもご利用ありがとうございます。今週のおすすめ商品をご紹介いたします。'],
  }),
  newsletter('Trailhead Coffee <club@trailheadcoffee.example>', {
    category: 'promotions',
    perMonth: 1.5,
    read: 0.3,
    subjects: ['Fresh roast: {item} ☕', 'Your coffee club box is {n}% off', 'We saved you a bag'],
    items: ['Ethiopia Guji', 'Colombia Huila', 'the winter blend'],
    texts: ['Notes of plum and cocoa. Roasted on Tuesday, with you by Friday.'],
  }),
  newsletter('Stride Fitness <no-reply@stridefitness.example>', {
    category: 'promotions',
    perMonth: 2,
    monthsAgo: [36, 14],
    read: 0.04,
    subjects: ['We miss you! {n}% off your comeback', 'New classes in {month}', 'Last chance to renew'],
    texts: ['Your locker is waiting. Come back this week and the first month is {amount}.'],
  }),
  newsletter('Cloudberry Hosting <marketing@cloudberry-hosting.example>', {
    category: 'promotions',
    perMonth: 1.4,
    read: 0.12,
    subjects: ['Webinar: {item}', 'Save {n}% on annual plans', 'What we shipped in {month}'],
    items: ['zero-downtime deploys', 'backups that restore', 'Postgres at the edge'],
    texts: ['Join {n} engineers live. Can’t make it? Register anyway and get the recording.'],
  }),
];

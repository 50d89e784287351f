import { type MailStream, newsletter } from './mail-stream.ts';

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
    attachments: {
      share: 0.06,
      kinds: [
        { filename: 'fix-rounding.patch', mimeType: 'text/x-patch', sizeKb: [2, 20] },
        { filename: 'benchmark.csv', mimeType: 'text/csv', sizeKb: [40, 900] },
      ],
    },
  }),
];

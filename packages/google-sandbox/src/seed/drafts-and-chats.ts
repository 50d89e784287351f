import type { MailStream } from './mail-stream.ts';

/** What Gmail lists beside mail: drafts, and the chats of earlier years. */
export const DRAFTS_AND_CHATS: readonly MailStream[] = [
  {
    // Replaced by the user's own address.
    from: 'Drafts',
    category: 'primary',
    folder: 'DRAFT',
    perMonth: 0.4,
    monthsAgo: [20, 0],
    read: 1,
    bodyKb: [1, 4],
    subjects: ['Re: Drawings for the mill', 'Idea {n}', '(no subject)'],
    texts: ['Dear Charles, I have been thinking about card {n}, and'],
  },
  {
    from: 'Charles Babbage <charles@chat.example>',
    category: 'primary',
    folder: 'CHAT',
    perMonth: 0.5,
    monthsAgo: [36, 18],
    read: 1,
    bodyKb: [1, 2],
    subjects: ['Chat with Charles Babbage'],
    texts: ['are you there? call me at {n}'],
  },
];

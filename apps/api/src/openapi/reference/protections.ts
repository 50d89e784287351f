import { NEWSLETTER } from './samples.ts';
import { defineSection } from './section.ts';

const SENDER_ID = '9f2c'.repeat(16);
const PROTECTION = {
  id: SENDER_ID,
  type: 'sender' as const,
  from: NEWSLETTER.from,
  createdAt: '2026-02-01T08:17:00.000Z',
};

export const PROTECTIONS_SECTION = defineSection({
  tag: 'Protections',
  description:
    'Protect senders and domains: their email is left alone by cleanups, and never suggested for clearing.',
  routes: {
    listProtections: {
      summary: 'List protected senders',
      description: [
        'Returns the senders that the user protects, newest first. 20 on a page by default, at most 100.',
      ],
      request: { query: { page: 1, perPage: 20 } },
      responses: { 'One sender': { total: 1, page: 1, perPage: 20, data: [PROTECTION] } },
    },
    protectByName: {
      summary: 'Protect an address or a domain',
      description: [
        'Protects an address or a domain that the user names, also where no email of it was read yet. Case and spelling do not matter: `News@Shop.Example` is `news@shop.example`, and `bücher.example` is `xn--bcher-kva.example`. A domain stands for every sender of it and of its subdomains. Such a protection is listed, and ended, like that of a sender.',
        'What is protected already stays so. A user protects at most 1,000 senders and domains (409 `too_many_protections`).',
      ],
      request: { bodies: { 'A domain': { name: 'shop.example' } } },
      responses: {
        Protected: {
          id: '5d1e'.repeat(16),
          type: 'domain',
          from: 'shop.example',
          createdAt: PROTECTION.createdAt,
        },
      },
    },
    protectSender: {
      summary: 'Protect a sender',
      description: [
        'Protects a sender by the id that `GET /api/v1/senders` returns. From then on, no cleanup touches their email, also none that was planned before, and archiving or deleting it is not suggested. Other suggestions stay. An action that the user requests for single emails is still carried out.',
        'A sender that is protected already stays so. A sender of whom no email was read returns 404. A user protects at most 1,000 senders (409 `too_many_protections`).',
      ],
      request: { params: { id: SENDER_ID } },
      responses: { Protected: PROTECTION },
    },
    unprotectSender: {
      summary: 'End the protection of a sender',
      description: [
        'Ends the protection. What was suggested for the sender’s email before is shown again. A sender who is not protected returns 204, too.',
      ],
      request: { params: { id: SENDER_ID } },
    },
  },
});

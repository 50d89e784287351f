import {
  ListProtectionsResponseSchema,
  ProtectByNameRequestSchema,
  ProtectionParamsSchema,
  ProtectionSchema,
} from '../senders/protection.ts';
import { PaginationQuerySchema } from '../values/pagination.ts';
import { defineSection, NoContentSchema } from './route-contract.ts';

const TOO_MANY = { too_many_protections: 'Nothing was done: a user may protect 1000 senders.' };

export const PROTECTIONS_SECTION = defineSection({
  tag: 'Protections',
  description:
    'Protect senders and domains: their email is left alone by cleanups, and never suggested for clearing.',
  routes: {
    listProtections: {
      method: 'get',
      path: '/api/v1/protections',
      access: 'read',
      query: PaginationQuerySchema,
      response: ListProtectionsResponseSchema,
      summary: 'List protected senders',
      description: [
        'Returns the senders that the user protects, newest first. 20 on a page by default, at most 100.',
      ],
    },
    protectByName: {
      method: 'post',
      path: '/api/v1/protections',
      access: 'admin',
      body: ProtectByNameRequestSchema,
      response: ProtectionSchema,
      refuses: TOO_MANY,
      summary: 'Protect an address or a domain',
      description: [
        'Protects an address or a domain that the user names, also where no email of it was read yet. Case and spelling do not matter: `News@Shop.Example` is `news@shop.example`, and `bücher.example` is `xn--bcher-kva.example`. A domain stands for every sender of it and of its subdomains. Such a protection is listed, and ended, like that of a sender.',
        'What is protected already stays so. A user protects at most 1,000 senders and domains (409 `too_many_protections`).',
      ],
    },
    protectSender: {
      method: 'put',
      path: '/api/v1/protections/{id}',
      access: 'admin',
      params: ProtectionParamsSchema,
      response: ProtectionSchema,
      refuses: TOO_MANY,
      summary: 'Protect a sender',
      description: [
        'Protects a sender by the id that `GET /api/v1/senders` returns. From then on, no cleanup touches their email, also none that was planned before, and archiving or deleting it is not suggested. Other suggestions stay. An action that the user requests for single emails is still carried out.',
        'A sender that is protected already stays so. A sender of whom no email was read returns 404. A user protects at most 1,000 senders (409 `too_many_protections`).',
      ],
    },
    unprotectSender: {
      method: 'delete',
      path: '/api/v1/protections/{id}',
      access: 'admin',
      params: ProtectionParamsSchema,
      response: NoContentSchema,
      summary: 'End the protection of a sender',
      description: [
        'Ends the protection. What was suggested for the sender’s email before is shown again. A sender who is not protected returns 204, too.',
      ],
    },
  },
});

import { exchange, type HttpRequest, type HttpResponse } from '@mailsweep/service-kit/http-client';

/** The words of the paths of the Gmail API; everything else in a path may be the id of an email. */
const PATH_WORDS = new Set(
  'gmail v1 users me batch messages threads labels history profile settings modify batchModify'.split(' '),
);

/** A path as spans show it: `/gmail/v1/users/me/messages/{id}`. */
const toTemplate = ({ pathname }: URL): string =>
  pathname
    .split('/')
    .map((part) => (part === '' || PATH_WORDS.has(part) ? part : '{id}'))
    .join('/');

/** Makes one HTTP exchange with Gmail. @throws HttpExchangeError when there is no complete response */
export const exchangeWithGmail = (request: Omit<HttpRequest, 'peer' | 'template'>): Promise<HttpResponse> =>
  exchange({ ...request, peer: 'gmail', template: toTemplate(request.url) });

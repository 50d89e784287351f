import { isPublicProvider } from '@mailsweep/contracts';

/** A `From` header in its parts, in lower case. */
export interface Sender {
  /** Words of the display name. */
  name: string[];
  /** Words before the @, and those of the subdomains before the registered domain. */
  address: string[];
  /** The registered domain, such as `shop.co.uk`; empty when there is no address. */
  domain: string;
  /** Whether it is a personal address: at a public provider, or made of the display name. */
  isPerson: boolean;
  /** Whether the domain is that of a public provider, such as gmail.com. */
  isCommon: boolean;
}

/** Longest address by RFC 5321, 4.5.3.1; a longer header is not examined. */
const MAX_LENGTH = 700;

/** Below country codes, such as in `shop.co.uk`. */
const SECOND_LEVELS = new Set('co com or org ne net gov gob gouv govt ac edu go nhs'.split(' '));
/** Addresses of roles. */
const ROLE =
  /^(?:no|non|ne|nicht|not|reply|noreply|donotreply|info|infos|hello|hallo|hola|bonjour|ciao|ola|contact|kontakt|contacto|service|support|help|team|office|admin|news|newsletter|mail|email|account|accounts|billing|sales|club|shop|store|orders?|alerts?|notifications?|updates?|post|hi|hey|events?|bot|lists?|users?|members?|group|announce|dev|staff|deals?|offers?|research|survey|academy|courses|community|forum|radio|weekly|daily|digest|services?|jobs?|marketing|security|customer|care|redaktion|redaction|redazione|redaccion|redacao|redakcja|editors?|editorial|magazine?|bulletin|boletin|boletim|newsroom|today|nieuws|nieuwsbrief|nyheter|nyhedsbrev|noticias|novedades|novidades|notizie|actu|panel|panels|promo|promos|promotions?|promocje|oferty?|ofertas?|offerte|offres|angebote|aanbieding|aanbiedingen|kampanya|mailings?|mailnews|mag|viagens|viajes|viaggi|voyages|reisen|tourism|travel|satisfaction|feedback|opinion|opiniones|opinie|avis|avisos|notice|notices|messages?|rewards?|loyalty|perks|activities|program|programme|programm|liste|digests|bounces|pesquisa)$/;
/** Such as “Ann from Acme” or “Acme | Ann”: who writes for a firm to many. */
const OF_FIRM = /\s(?:from|at|bei|vom|chez|fra|från|@)\s|[:|–]/;
/** Services that send newsletters and mailing lists from addresses of their own. */
const PLATFORM = /^(?:substack|beehiiv|buttondown|ghost|kessel|steady|googlegroups)\./;

/** A display name of more words is rarely a person's. */
const MAX_NAMES = 4;

/** Names in scripts that addresses do not have: 山田 花子, 김서연, Олена Шевченко. */
const PERSON_ABROAD =
  /^(?:\p{Script=Han}{1,3}\s\p{Script=Han}{1,3}|[김이박최정강조윤장임한오서신권황안송류홍]\p{Script=Hangul}{2}|[\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}]+(?:\s[\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}]+)?)$/u;

const toRegistered = (host: string): string => {
  const labels = host.split('.');
  return labels.slice(SECOND_LEVELS.has(labels.at(-2) ?? '') ? -3 : -2).join('.');
};

const toWords = (text: string): string[] => text.match(/\p{L}+/gu) ?? [];

/** Reads a `From` header such as `Ann <ann@example.org>`, or a bare address. */
export const parseSender = (from: string): Sender => {
  const text = from.length > MAX_LENGTH ? '' : from.normalize('NFKC').toLowerCase().trim();
  const start = text.endsWith('>') ? text.lastIndexOf('<') : -1;
  const address = start < 0 ? text : text.slice(start + 1, -1);
  const at = address.lastIndexOf('@');
  const host = at < 0 ? '' : address.slice(at + 1);
  const domain = toRegistered(host);
  const local = toWords(address.slice(0, Math.max(0, at)));
  const name = start < 0 ? [] : toWords(text.slice(0, start));
  const isCommon = isPublicProvider(domain);
  const plain = (word: string): string => word.normalize('NFD').replace(/\p{M}/gu, '');
  const names = name.map(plain);
  const [first = '', last = ''] = [local[0], local.at(-1)].map((word) => plain(word ?? ''));
  // Such as ann@, berg@, aberg@, annberg@, ann.berg@, a.berg@; who writes from a subdomain writes to many.
  const surname = names.length > 1 ? (names.at(-1) ?? '') : '';
  const prefix = surname.length > 2 && first.endsWith(surname) ? first.slice(0, -surname.length) : undefined;
  const isFirstName = names.slice(0, names.length > MAX_NAMES ? 1 : MAX_NAMES).includes(first);
  const isNamed =
    local.length > 1
      ? (names.includes(last) && names.some((word) => word.startsWith(first))) || names.includes(first)
      : (isFirstName && !domain.includes(first)) ||
        (prefix !== undefined &&
          (prefix === '' ? names.length === 2 : prefix.length <= 2 || names.includes(prefix)));
  const title = text.slice(0, Math.max(0, start)).trim();
  // Such as “Chiara, Bottega del Filo <chiara@bottegadelfilo.it>”; a surname alone may be in the domain of a person.
  const wordsInDomain = names.filter((word) => word.length > 3 && domain.includes(word)).length;
  const isOfFirm =
    OF_FIRM.test(title) || wordsInDomain > (title.includes(',') || names.length >= MAX_NAMES ? 0 : 1);
  const isOwn = (isNamed || PERSON_ABROAD.test(title)) && !isOfFirm;
  const isRole = local.some((word) => ROLE.test(word));
  return {
    name,
    address: [...local, ...toWords(host.slice(0, host.length - domain.length))],
    domain,
    isPerson: !isRole && host === domain && !PLATFORM.test(domain) && (isCommon || isOwn),
    isCommon,
  };
};

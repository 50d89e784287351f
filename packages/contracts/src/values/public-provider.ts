const PUBLIC_PROVIDERS = new Set(
  `gmail googlemail gmx web outlook hotmail live yahoo icloud me mac aol proton protonmail orange free laposte wanadoo
   sfr libero alice virgilio tiscali terra uol bol sapo t-online freenet posteo ziggo kpnmail hetnet planet xs4all wp o2
   onet interia naver docomo ezweb nifty qq 163 yandex ukr mail fastmail rediffmail seznam centrum hey tutanota telia
   bluewin btinternet att bigpond comcast talktalk virginmedia telenet skynet arcor hispavista`.split(/\s+/),
);

/** Whether anybody can have an address of a registered domain, such as gmail.com. */
export const isPublicProvider = (domain: string): boolean =>
  PUBLIC_PROVIDERS.has(/^([^.]+)\.(?:(?:com?|ne)\.)?[a-z]+$/.exec(domain)?.[1] ?? '');

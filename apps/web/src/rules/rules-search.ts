import type { Search } from '../address/read-search.ts';

/** The rule whose preview is open, as the address bar holds it. */
export const readRulesSearch = ({ preview }: Search): { preview?: string } =>
  typeof preview === 'string' ? { preview } : {};

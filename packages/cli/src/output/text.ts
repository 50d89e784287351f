export { clean } from '@mailsweep/mcp/text';

const NUMBERS = new Intl.NumberFormat('en-GB');
const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];
const STEP = 1_000;

const escapeCharacter = (character: string): string =>
  [...Array(character.length).keys()]
    .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`)
    .join('');

/** JSON on one line, or on several; the same values, with what controls a terminal escaped. */
export const toJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(/(?!\n)[\p{Cc}\p{Cf}]/gu, escapeCharacter);

/** @example countOf(1, 'email') is `1 email`; countOf(3_362, 'email') is `3,362 emails` */
export const countOf = (count: number, noun: string): string =>
  `${NUMBERS.format(count)} ${noun}${count === 1 ? '' : 's'}`;

export const toNumber = (count: number): string => NUMBERS.format(count);

/** @example toSize(12_400_000) is `12.4 MB` */
export const toSize = (bytes: number): string => {
  let value = bytes;
  let unit = 0;
  while (value >= STEP && unit < UNITS.length - 1) {
    value /= STEP;
    unit += 1;
  }
  return `${value < 10 && unit > 0 ? value.toFixed(1) : Math.round(value)} ${UNITS[unit]}`;
};

/** @example toDuration(940) is `16 min` */
export const toDuration = (seconds: number): string => {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
};

/** Date and time of the machine that the program runs on. */
export const toTime = (timestamp: string): string => {
  const date = new Date(timestamp);
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
};

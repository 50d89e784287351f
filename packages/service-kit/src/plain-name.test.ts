import { expect, test } from 'vitest';
import { toPlainName } from './plain-name.ts';

test.each([
  ['Mail\u202Eexe.program', 'Mailexe.program'],
  ['a\u0000b\u0007c', 'abc'],
  ['two\nlines\there', 'two lines here'],
  ['\u3164\u2800 \uFFA0', ''],
  ['\uD800lone', '\uFFFDlone'],
  ['Żaneta 王', 'Żaneta 王'],
])('%j is shown as %j', (text, name) => expect(toPlainName(text, 100)).toBe(name));

test('is cut between characters', () => expect(toPlainName('👍'.repeat(9), 4)).toBe('👍👍👍👍'));

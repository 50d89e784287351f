import { expect, it } from 'vitest';
import { EMPTY_SELECTION } from '../../controls/list/selection.ts';
import { sampleEmail } from '../../testing/sample-email.ts';
import { selectSender } from './use-triage.ts';

it('takes every email of the active email’s sender', () => {
  const emails = [1, 2, 3, 4, 5].map((number) =>
    sampleEmail(number, number % 2 === 0 ? { from: 'Bank <bank@x.example>' } : {}),
  );
  const { selectedIds } = selectSender({ ...EMPTY_SELECTION, activeId: 'email-4' }, emails);
  expect([...selectedIds].sort()).toEqual(['email-2', 'email-4']);
});

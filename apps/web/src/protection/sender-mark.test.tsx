import type { Email } from '@mailsweep/contracts';
import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { renderAtRoute } from '../testing/render-at-route.tsx';
import { sampleEmail } from '../testing/sample-email.ts';
import { SenderMark } from './protections.tsx';

const NONE = { total: 0, page: 1, perPage: 100, data: [] };

describe('the mark beside a sender', () => {
  it.each<[Partial<Email>, string]>([
    [{ isSenderUnclear: true, failsDmarc: true }, 'Sender unclear'],
    [{ failsDmarc: true }, 'Sender may be forged'],
  ])('warns of %j', async (facts, name) => {
    renderAtRoute(
      () => <SenderMark email={{ ...sampleEmail(1), ...facts }} />,
      () => NONE,
    );
    expect(await screen.findByRole('img', { name })).toBeTruthy();
  });
});

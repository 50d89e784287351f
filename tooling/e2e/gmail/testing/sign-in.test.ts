import { mailboxOf, message } from '@mailsweep/google-sandbox/testing';
import { listenOnLoopback } from '@mailsweep/service-kit';
import { expect, it, onTestFinished } from 'vitest';
import { startSandboxOwner } from './sandbox-owner.ts';

const OWN_MAIL = mailboxOf(message('m1'));

it('lets the owner tick the box for Gmail at another sign-in, up to three times', async () => {
  const owner = await startSandboxOwner(OWN_MAIL, {});
  expect((await owner.signIn({ untickedTimes: 1 })).facts).toMatchObject({ untickedAccess: 'none' });
  expect((await owner.signIn()).facts).toMatchObject({ untickedAccess: undefined });
  await expect(owner.signIn({ untickedTimes: 3 })).rejects.toThrow('The box for Gmail was not ticked.');
});

it('says what to do when the place is taken where the browser comes back to', async () => {
  const owner = await startSandboxOwner(OWN_MAIL, {});
  const taken = await listenOnLoopback(() => undefined, Number(new URL(owner.redirectUri).port));
  onTestFinished(taken.close);
  await expect(owner.signIn()).rejects.toThrow(/stop what runs there, such as npm start/);
});

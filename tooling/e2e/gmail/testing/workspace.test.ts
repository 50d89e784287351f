import { mailboxOf, message } from '@mailsweep/google-sandbox/testing';
import { expect, it } from 'vitest';
import { openGmail } from './gmail-client.ts';
import { startSandboxOwner } from './sandbox-owner.ts';
import { cleanUp, DRAFT_SUBJECT, toDraft } from './workspace.ts';

it('deletes the draft of a run that was killed, and none of the owner', async () => {
  const owner = await startSandboxOwner(mailboxOf(message('m1')), {});
  const foreign = Buffer.from(`From: Ada <ada@example.com>\r\nSubject: ${DRAFT_SUBJECT}\r\n\r\nMine`);
  for (const raw of [toDraft(), foreign.toString('base64url')]) {
    await owner.mailbox.call('POST', '/drafts', { message: { raw } });
  }
  const { accessToken } = await owner.signIn();
  const gmail = openGmail({ gmailUrl: owner.url, accessToken, unitsPerMinute: 1_000_000 });
  expect(await cleanUp(gmail.createClient(), new Set())).toMatchObject({ drafts: 1 });
  expect((await owner.readMailbox()).drafts).toHaveLength(1);
});

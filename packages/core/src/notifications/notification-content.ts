import type { AttentionContent, DigestContent, EmailContent } from '@mailsweep/contracts';
import type { TextCipher } from '@mailsweep/message-cache';

/** What is stored of a notification, by its kind. */
export interface StoredContent {
  alert: EmailContent & { emailId: string };
  digest: DigestContent;
  attention: AttentionContent;
  test: Record<string, never>;
}

/** Encrypts what a notification tells, bound to its id. */
export const writeContent = <Kind extends keyof StoredContent>(
  cipher: TextCipher,
  id: string,
  _kind: Kind,
  content: StoredContent[Kind],
): string => cipher.encrypt(JSON.stringify(content), id);

/** What a notification tells; undefined where the key is gone. */
export const readContent = <Kind extends keyof StoredContent>(
  cipher: TextCipher,
  { id, encryptedContent }: { id: string; kind: Kind; encryptedContent: string | null },
): StoredContent[Kind] | undefined => {
  try {
    return JSON.parse(cipher.decrypt(encryptedContent ?? '', id)) as StoredContent[Kind];
  } catch {
    return undefined;
  }
};

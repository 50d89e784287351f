import type { ArrivedMessage } from './mailbox-changes.ts';
import type { Header } from './mime.ts';

export interface User {
  email: string;
  givenName: string;
  familyName: string;
  locale: string;
}

export const fullNameOf = (user: User): string => `${user.givenName} ${user.familyName}`;

export interface SeedAttachment {
  filename: string;
  mimeType: string;
  /** What the sandbox says that it weighs; the content itself is a few bytes. */
  sizeBytes: number;
  /** Shown within the text, as logos in signatures are. */
  isInline: boolean;
}

export interface SeedMessage {
  id: string;
  threadId: string;
  from: string;
  to: string;
  subject: string;
  text: string;
  labels: string[];
  receivedAtMs: number;
  bodySizeBytes: number;
  attachments: SeedAttachment[];
  /** Headers above those of every message. */
  headers?: readonly Header[];
}

export interface SeedLabel {
  id: string;
  name: string;
}

export interface LateMailbox {
  user: User;
  write(seededAtMs: number): MailboxSeed;
}

export interface MailboxSeed {
  user: User;
  labels: SeedLabel[];
  messages: SeedMessage[];
  /** Messages that came later. */
  arrived?: (ArrivedMessage & { id: string; label_ids: string[] })[];
}

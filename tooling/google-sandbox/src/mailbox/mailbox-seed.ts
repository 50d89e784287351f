import type { ArrivedMessage } from './mailbox-changes.ts';
import type { Header } from './mime.ts';

/** Someone with an account at the sandbox. */
export interface User {
  email: string;
  givenName: string;
  familyName: string;
  locale: string;
}

/** The name users see. */
export const fullNameOf = (user: User): string => `${user.givenName} ${user.familyName}`;

export interface SeedAttachment {
  filename: string;
  mimeType: string;
  /** What the sandbox says that it weighs; the content itself is a few bytes. */
  sizeBytes: number;
  /** Shown within the text, as logos in signatures are. */
  isInline: boolean;
}

/** A message that is in the mailbox from the start. */
export interface SeedMessage {
  id: string;
  threadId: string;
  from: string;
  to: string;
  subject: string;
  text: string;
  labels: string[];
  receivedAtMs: number;
  /** Size of the message without its attachments, in bytes. */
  bodySizeBytes: number;
  attachments: SeedAttachment[];
  /** Headers above those of every message. */
  headers?: readonly Header[];
}

/** A label that the user made. */
export interface SeedLabel {
  id: string;
  name: string;
}

/** A mailbox that is made when it is first needed. */
export interface LateMailbox {
  user: User;
  write(seededAtMs: number): MailboxSeed;
}

/** One user's mailbox as it is at the start. */
export interface MailboxSeed {
  user: User;
  labels: SeedLabel[];
  messages: SeedMessage[];
  /** Messages that came later. */
  arrived?: (ArrivedMessage & { id: string; label_ids: string[] })[];
}

export {
  type FakeAnswer,
  type FakeGmail,
  type FakeGmailContent,
  type FakeMessage,
  refusal,
  startFakeGmail,
} from './fake-gmail.ts';
export { createManualClock } from './manual-clock.ts';

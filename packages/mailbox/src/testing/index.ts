export { type FakeAnswer, type FakeGmail, type FakeMessage, refusal, startFakeGmail } from './fake-gmail.ts';

export { type FakeAnswer, type FakeGmail, type FakeMessage, startFakeGmail } from './fake-gmail.ts';

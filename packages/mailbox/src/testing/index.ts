export { anyText } from './any-text.ts';

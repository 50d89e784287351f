export {
  type Behaviour,
  drip,
  hang,
  hangAfterHeaders,
  reset,
  respondWithSuggestions,
  startClassificationStandIn,
} from './classification-stand-in.ts';

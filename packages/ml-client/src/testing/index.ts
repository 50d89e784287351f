export {
  type Behaviour,
  drip,
  hang,
  hangAfterHeaders,
  respondWithSuggestions,
  startClassificationStandIn,
} from './classification-stand-in.ts';

export {
  exchange,
  HttpExchangeError,
  type HttpRequest,
  type HttpResponse,
  parseJson,
  RESPONSE_TOO_LARGE,
} from './http-exchange.ts';

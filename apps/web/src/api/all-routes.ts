/** Every route of the API; a module of its own, so that it can come when it is wanted. */
export { API_ROUTES } from '@mailsweep/contracts';

export const SIGN_IN_TAG = {
  name: 'Sign-in',
  description:
    'Sign in with Google or another mail provider in a browser, and sign out; let programs act for a user.',
};

/** A response that sends the browser elsewhere. */
export const redirect = (description: string, example: string) => ({
  description,
  headers: {
    location: {
      description: 'Where the browser goes next.',
      schema: { type: 'string' as const, format: 'uri' },
      example,
    },
  },
});

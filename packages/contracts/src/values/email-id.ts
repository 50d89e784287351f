/**
 * Form of the id of an email. Identifiers travel in provider URLs: no separators, no control characters, and never
 * dots alone, which a URL takes for a step upwards.
 */
export const EMAIL_ID = /^\.*[\w~@+=-][\w.~@+=-]*$/;

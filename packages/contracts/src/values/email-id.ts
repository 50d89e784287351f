/**
 * Form of an email's id, which is part of provider URLs: no separators, no control characters, and not dots alone,
 * which lead upwards.
 */
export const EMAIL_ID = /^\.*[\w~@+=-][\w.~@+=-]*$/;

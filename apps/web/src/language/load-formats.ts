/**
 * Runs in a worker: a browser's first number and date format take some 50 ms each, once for all threads, and the page
 * need not wait.
 */
new Intl.NumberFormat();
new Intl.DateTimeFormat();
self.close();

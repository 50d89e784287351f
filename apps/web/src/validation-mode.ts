import { z } from 'zod';

// Zod would compile its parsers with `new Function`, which the Content-Security-Policy forbids and reports.
// Imported before any schema is made.
z.config({ jitless: true });

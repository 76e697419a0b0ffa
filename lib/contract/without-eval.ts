import { z } from 'zod';

// In a page, zod would try whether it may compile its checks; the content policy forbids that, and reports it. To be
// imported before any schema is made.
if (typeof document !== 'undefined') z.config({ jitless: true });

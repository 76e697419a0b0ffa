import { z } from 'zod';

// In a browser, zod probes for `eval` to compile its checks; the content security policy forbids and reports that. Must
// be imported before any schema is created.
if (typeof document !== 'undefined') z.config({ jitless: true });

import { enableCompileCache, registerHooks } from 'node:module';
import { join } from 'node:path';

// Loaded before a program of ours. A saving only: everything works without this file too.

// the next start finds what this one compiled, where nobody else writes
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/node'));

// Node 24 spends 220 MB and most of a start on linking drizzle-orm's cyclic ES modules; its CommonJS twin costs a tenth
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier, specifier.startsWith('drizzle-orm') ? { ...context, conditions: ['node', 'require'] } : context),
});

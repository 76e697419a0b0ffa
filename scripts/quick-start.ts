import { enableCompileCache, registerHooks } from 'node:module';
import { join } from 'node:path';

// Loaded before every program of the project, to start faster; everything works without this file too.

// later starts reuse compiled code; the folder is one that no other user writes to
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/node'));

// Node 24 spends 220 MB and most of a start on linking drizzle-orm's cyclic ES modules; CommonJS costs a tenth
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier, specifier.startsWith('drizzle-orm') ? { ...context, conditions: ['node', 'require'] } : context),
});

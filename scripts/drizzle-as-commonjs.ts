import { registerHooks } from 'node:module';

// Node 24 spends 220 MB and most of a start on linking drizzle-orm's cyclic ES modules; its CommonJS twin costs a tenth.
// A saving only: everything works without this file too.
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier, specifier.startsWith('drizzle-orm') ? { ...context, conditions: ['node', 'require'] } : context),
});

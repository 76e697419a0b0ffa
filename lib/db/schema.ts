// All tables by subject. Domains import tables from here, and drizzle-kit generates migrations from this file
export * from '#lib/db/schema/accounts';
export * from '#lib/db/schema/sign-ins';
export * from '#lib/db/schema/money';
export * from '#lib/db/schema/requests';
export * from '#lib/db/schema/recipe-runs';
export * from '#lib/db/schema/media';
export * from '#lib/db/schema/webhooks';
export * from '#lib/db/schema/cast';
export * from '#lib/db/schema/library';
export * from '#lib/db/schema/processes';

// Every table, by what it is about. What a domain imports from here, and what the migrations are generated from.
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

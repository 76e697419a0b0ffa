/** Wraps the action of a command: while it runs, the database is up and migrated, and operator settings are loaded. */
export type Act = <Args extends unknown[]>(run: (...args: Args) => Promise<void>) => (...args: Args) => Promise<void>;

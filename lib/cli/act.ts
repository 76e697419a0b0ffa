/** Makes the action of a command: the database is up and current while it runs, and what operators set is known. */
export type Act = <Args extends unknown[]>(run: (...args: Args) => Promise<void>) => (...args: Args) => Promise<void>;

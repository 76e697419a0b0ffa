import { singleton } from '#lib/singleton';

/** For each engine of which a server answered once: the lines that none of its servers can make, for what they lack. */
export type Inabilities = ReadonlyMap<string, ReadonlySet<string>>;

const known = () => singleton<{ inabilities?: Inabilities | undefined }>('engines.inabilities', () => ({}));

/** Undefined in a process that does not ask; another object exactly when something changed. */
export const inabilities = (): Inabilities | undefined => known().inabilities;

export const noteInabilities = (inabilities: Inabilities | undefined): void =>
  void Object.assign(known(), { inabilities });

/**
 * Whether an engine has what a line needs, on one of its servers. One that never answered can do nothing; one that answered and
 * is silent now can do what it could.
 */
export function isAble(engine: string, line: string): boolean {
  const all = inabilities();
  return all === undefined || all.get(engine)?.has(line) === false;
}

import { singleton } from '#lib/singleton';

/** Lines that no server of an engine can make for lack of files, by engine. Omits engines that have never answered. */
export type Inabilities = ReadonlyMap<string, ReadonlySet<string>>;

const known = () => singleton<{ inabilities?: Inabilities | undefined }>('engines.inabilities', () => ({}));

/** Returns undefined in a process that does not track them. The object is a new one exactly when something changed. */
export const inabilities = (): Inabilities | undefined => known().inabilities;

export const noteInabilities = (inabilities: Inabilities | undefined): void =>
  void Object.assign(known(), { inabilities });

/**
 * Whether one of an engine's servers has what a line needs. An engine that never answered is able to do nothing; an
 * engine that stopped answering keeps its abilities.
 */
export function isAble(engine: string, line: string): boolean {
  const all = inabilities();
  return all === undefined || all.get(engine)?.has(line) === false;
}

import { singleton } from '#lib/singleton';

const answers = () => singleton('remembered', () => new Map<string, { at: number; value: Promise<unknown> }>());

/** Returns the cached answer if it is younger than `freshMs`, else asks again. Failures are not cached. */
export function remembered<T>(name: string, freshMs: number, ask: () => Promise<T>): Promise<T> {
  const known = answers().get(name);
  if (known && performance.now() - known.at < freshMs) return known.value as Promise<T>;
  const asked = { at: performance.now(), value: ask() };
  answers().set(name, asked);
  asked.value.catch(() => answers().get(name) === asked && answers().delete(name));
  return asked.value;
}

type Where = 'localStorage' | 'sessionStorage';

/** What this browser keeps under a name; `none` where there is nothing, storage is switched off, or something else wrote there. */
export function readKept<T>(name: string, none: T, where: Where = 'localStorage'): T {
  try {
    return JSON.parse(window[where].getItem(name) ?? '') as T;
  } catch {
    return none;
  }
}

/** Keeps a value; undefined keeps nothing. False where it is full or switched off: then the page alone knows it. */
export function keep(name: string, value: unknown, where: Where = 'localStorage'): boolean {
  try {
    if (value === undefined) window[where].removeItem(name);
    else window[where].setItem(name, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

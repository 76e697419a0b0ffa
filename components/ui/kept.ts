type Where = 'localStorage' | 'sessionStorage';

/** Returns the stored value; `none` if there is none, storage is disabled, or the value is not valid JSON. */
export function readKept<T>(name: string, none: T, where: Where = 'localStorage'): T {
  try {
    return JSON.parse(window[where].getItem(name) ?? '') as T;
  } catch {
    return none;
  }
}

/** Stores a value; undefined removes it. Returns false if storage is full or disabled: then only the page knows it. */
export function keep(name: string, value: unknown, where: Where = 'localStorage'): boolean {
  try {
    if (value === undefined) window[where].removeItem(name);
    else window[where].setItem(name, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

type Theme = 'light' | 'dark' | 'system';

/** Cookie with the chosen theme; without it the system decides. The server reads it, so that pages do not flash. */
export const THEME_COOKIE = 'theme';

export const parseTheme = (value: string | undefined): Theme =>
  value === 'light' || value === 'dark' ? value : 'system';

/** Applies a theme to this page and remembers it for a year. Browser only. */
function setTheme(theme: Theme) {
  const root = document.documentElement;
  if (theme === 'system') delete root.dataset.theme;
  else root.dataset.theme = theme;
  document.cookie = `${THEME_COOKIE}=${theme}; path=/; samesite=lax; max-age=${theme === 'system' ? 0 : 31_536_000}`;
}

/** Switches between light and dark. Switching back to the system's theme deletes the cookie. Browser only. */
export function flipTheme() {
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  const other = (document.documentElement.dataset.theme ?? system) === 'dark' ? 'light' : 'dark';
  setTheme(other === system ? 'system' : other);
}

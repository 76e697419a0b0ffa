type Theme = 'light' | 'dark' | 'system';

/** The cookie that remembers a choice; without it the system decides. The server reads it, so pages never flash. */
export const THEME_COOKIE = 'theme';

export const parseTheme = (value: string | undefined): Theme =>
  value === 'light' || value === 'dark' ? value : 'system';

/** Applies a choice to this page at once and remembers it for a year. Browser only. */
function setTheme(theme: Theme) {
  const root = document.documentElement;
  if (theme === 'system') delete root.dataset.theme;
  else root.dataset.theme = theme;
  document.cookie = `${THEME_COOKIE}=${theme}; path=/; samesite=lax; max-age=${theme === 'system' ? 0 : 31_536_000}`;
}

/** From light to dark or back. Going back to what the system says forgets the choice. Browser only. */
export function flipTheme() {
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  const other = (document.documentElement.dataset.theme ?? system) === 'dark' ? 'light' : 'dark';
  setTheme(other === system ? 'system' : other);
}

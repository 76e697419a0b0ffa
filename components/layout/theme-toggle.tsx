'use client';

import { Moon, Sun } from 'lucide-react';
import { IconButton } from '#components/ui/icon-button';
import { setTheme } from '#components/layout/theme';

/** Light or dark. Going back to what the system says forgets the choice. */
export function ThemeToggle({ className }: { className?: string }) {
  const toggle = () => {
    const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
    const other = (document.documentElement.dataset.theme ?? system) === 'dark' ? 'light' : 'dark';
    setTheme(other === system ? 'system' : other);
  };
  return (
    <IconButton
      label="Switch between light and dark"
      onClick={toggle}
      className={className}
      icon={
        <>
          <Moon className="size-4.5 dark:hidden" aria-hidden />
          <Sun className="hidden size-4.5 dark:block" aria-hidden />
        </>
      }
    />
  );
}

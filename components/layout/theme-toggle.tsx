'use client';

import { Moon, Sun } from 'lucide-react';
import { IconButton } from '#components/ui/icon-button';
import { flipTheme } from '#components/layout/theme';

export function ThemeToggle() {
  return (
    <IconButton
      label="Switch between light and dark"
      onClick={flipTheme}
      icon={
        <>
          <Moon className="size-4.5 dark:hidden" aria-hidden />
          <Sun className="hidden size-4.5 dark:block" aria-hidden />
        </>
      }
    />
  );
}

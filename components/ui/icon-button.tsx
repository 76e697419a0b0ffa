import type { ReactNode } from 'react';
import { Button, type ButtonProps } from '#components/ui/button';
import { cn } from '#components/ui/cn';

const SIZES = { sm: 'size-8 pointer-coarse:size-11', md: 'size-10 pointer-coarse:size-11', lg: 'size-12' };

/** A button that shows only an icon. `label` is its name, and its tooltip for the pointer. */
export function IconButton({
  label,
  icon,
  size = 'md',
  tone = 'ghost',
  className,
  ...rest
}: Omit<ButtonProps, 'children' | 'asChild' | 'aria-label'> & { label: string; icon: ReactNode }) {
  return (
    <Button
      aria-label={label}
      title={label}
      tone={tone}
      size={size}
      className={cn('min-h-0 px-0', SIZES[size], className)}
      {...rest}
    >
      {icon}
    </Button>
  );
}

import type { ComponentProps, MouseEvent } from 'react';
import { cn } from '#components/ui/cn';
import { Slot } from '#components/ui/slot';
import { Spinner } from '#components/ui/spinner';

// spelled out, because Tailwind finds only literal class names
const TONES = { primary: 'tone-primary', plain: 'tone-plain', ghost: 'tone-ghost', danger: 'tone-danger' };
const SIZES = {
  sm: 'min-h-8 gap-1.5 px-3 text-sm pointer-coarse:min-h-11',
  md: 'min-h-10 gap-2 px-4 text-sm pointer-coarse:min-h-11',
  lg: 'min-h-12 gap-2.5 px-6 text-base max-[18rem]:px-3',
};

const pass = (event: MouseEvent) => {
  event.preventDefault();
  event.stopPropagation();
};

export type ButtonProps = ComponentProps<'button'> & {
  tone?: keyof typeof TONES;
  size?: keyof typeof SIZES;
  /** Whether its only child, such as a link, is rendered with the look of the button. */
  asChild?: boolean;
  /** Whether its work is in progress: presses are ignored, and a spinner covers the label unless `quiet`. */
  busy?: boolean | 'quiet';
};

export function Button({
  tone = 'plain',
  size = 'md',
  asChild,
  busy,
  className,
  disabled,
  children,
  ...rest
}: ButtonProps) {
  const Root = asChild ? Slot : 'button';
  return (
    <Root
      {...(asChild ? {} : { type: 'button', disabled })}
      className={cn('pressable', TONES[tone], SIZES[size], className)}
      {...rest}
      // not `disabled`, which would lose the focus
      {...(busy && { 'aria-busy': true, 'aria-disabled': true, onClick: pass })}
    >
      {asChild ? (
        children
      ) : (
        <>
          {busy === true && <Spinner />}
          {children}
        </>
      )}
    </Root>
  );
}

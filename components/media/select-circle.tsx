import type { ComponentProps } from 'react';
import { Check } from 'lucide-react';
import { cn } from '#components/ui/cn';

/** Round checkbox over an image that selects it. */
export function SelectCircle({
  label,
  checked,
  className,
  ...rest
}: { label: string; checked: boolean } & Pick<
  ComponentProps<'input'>,
  'className' | 'tabIndex' | 'onChange' | 'onClick'
>) {
  return (
    <label
      className={cn(
        'finger absolute grid size-8 place-items-center rounded-full bg-[#15110e80] text-[#f2eadd] transition-opacity has-focus-visible:opacity-100 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent-ink',
        className,
        checked && 'bg-accent text-on-accent',
      )}
    >
      <input
        type="checkbox"
        aria-label={label}
        checked={checked}
        className="absolute inset-0 appearance-none rounded-full outline-none"
        {...rest}
      />
      {checked ? (
        <Check className="pointer-events-none size-4.5" strokeWidth={2.5} aria-hidden />
      ) : (
        <span className="pointer-events-none size-4 rounded-full border-2 border-current" aria-hidden />
      )}
    </label>
  );
}

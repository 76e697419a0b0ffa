import { cloneElement, isValidElement, type HTMLAttributes, type ReactNode, type Ref } from 'react';
import { cn } from '#components/ui/cn';

type Given = HTMLAttributes<HTMLElement> & { ref?: Ref<HTMLElement> };
type Handler = (...given: unknown[]) => void;

/**
 * Passes its props to its only child, as `asChild` of Radix does; the child's own props take precedence, and handlers
 * of both are called. Every page includes it, and the library's version would be ten times as large.
 */
export function Slot({ children, ...given }: Given & { children?: ReactNode }) {
  if (!isValidElement<Given>(children)) return children;
  const own: Record<string, unknown> = { ...children.props };
  for (const [name, value] of Object.entries(given)) {
    const mine = own[name];
    if (name === 'className') own.className = cn(value, mine as string);
    else if (/^on[A-Z]/.test(name) && mine)
      own[name] = (...event: unknown[]) => {
        (mine as Handler)(...event);
        (value as Handler)(...event);
      };
    else own[name] ??= value;
  }
  return cloneElement(children, own);
}

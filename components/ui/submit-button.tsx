import { Button, type ButtonProps } from '#components/ui/button';
import { cn } from '#components/ui/cn';
import { useIsListening } from '#components/ui/use-is-listening';

/** Submits a server-rendered form. Before hydration, the browser itself would send it, with secrets in the URL. */
export function SubmitButton({ className, ...rest }: Omit<ButtonProps, 'type' | 'disabled'>) {
  const isListening = useIsListening();
  return (
    <Button
      type="submit"
      disabled={!isListening}
      className={cn(!isListening && 'disabled:opacity-100', className)}
      {...rest}
    />
  );
}

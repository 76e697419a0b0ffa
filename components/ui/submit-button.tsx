import { Button, type ButtonProps } from '#components/ui/button';
import { cn } from '#components/ui/cn';
import { useIsListening } from '#components/ui/use-is-listening';

/** Sends a form that the server drew. Before the page listens the browser would send it by itself, what is secret in the address. */
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

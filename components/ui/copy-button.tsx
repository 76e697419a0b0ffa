'use client';

import { useEffect, useState } from 'react';
import { Check, Copy } from 'lucide-react';
import { Button, type ButtonProps } from '#components/ui/button';
import { copyText } from '#components/ui/copy-text';

/** Copies `text` and shows whether that worked. `of` names what is copied, where a page has several buttons. */
export function CopyButton({
  text,
  label = 'Copy',
  tone = 'ghost',
  size = 'sm',
  of,
  ...rest
}: Omit<ButtonProps, 'children' | 'asChild'> & { text: string; label?: string; of?: string }) {
  const [state, setState] = useState<'ready' | 'copied' | 'refused'>('ready');
  useEffect(() => {
    if (state === 'ready') return;
    const timer = setTimeout(() => setState('ready'), 1800);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = () =>
    copyText(text).then(
      () => setState('copied'),
      () => setState('refused'),
    );
  return (
    <Button tone={tone} size={size} onClick={() => void copy()} {...rest}>
      {state === 'copied' ? <Check className="size-4" aria-hidden /> : <Copy className="size-4" aria-hidden />}
      <span aria-live="polite">{{ ready: label, copied: 'Copied', refused: 'Select and copy' }[state]}</span>
      {of && <span className="sr-only">: {of}</span>}
    </Button>
  );
}

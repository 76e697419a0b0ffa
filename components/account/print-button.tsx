'use client';

import { Printer } from 'lucide-react';
import { Button } from '#components/ui/button';

export function PrintButton() {
  return (
    <Button onClick={() => print()}>
      <Printer className="size-4" aria-hidden />
      Print or save as PDF
    </Button>
  );
}

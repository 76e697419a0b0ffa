'use client';

import { Printer } from 'lucide-react';
import { Button } from '#components/ui/button';

export function PrintButton() {
  return (
    <Button onClick={() => print()} className="max-[18rem]:shrink max-[18rem]:whitespace-normal">
      <Printer className="size-4" aria-hidden />
      Print or save as PDF
    </Button>
  );
}

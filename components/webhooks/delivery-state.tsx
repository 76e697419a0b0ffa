'use client';

import { useEffect, useState } from 'react';
import { Badge, type BadgeTone } from '#components/ui/badge';
import { Moment } from '#components/ui/moment';
import type { DeliveryWire } from '#lib/contract/webhook-schemas';

const STATES: Record<DeliveryWire['status'], { tone: BadgeTone; text: string }> = {
  pending: { tone: 'live', text: 'Waiting' },
  delivered: { tone: 'good', text: 'Delivered' },
  failed: { tone: 'bad', text: 'Given up' },
};

/** Badge with the state of a delivery. */
export function DeliveryState({ delivery: { status, tries } }: { delivery: Pick<DeliveryWire, 'status' | 'tries'> }) {
  const { tone, text } = STATES[status];
  const again = status === 'pending' && tries.length > 0;
  return (
    <Badge tone={again ? 'warn' : tone} dot>
      {again ? 'Trying again' : text}
    </Badge>
  );
}

/** Time of the next attempt of a failed delivery; nothing for others. */
export function NextTry({ delivery: { status, tries, next_try_at } }: { delivery: DeliveryWire }) {
  return status === 'pending' && tries.length > 0 && next_try_at !== null && <Countdown at={next_try_at} />;
}

function Countdown({ at }: { at: string }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.round((Date.parse(at) - now) / 1_000);
  if (seconds <= 1) return 'trying now';
  if (seconds <= 60) return `next try in ${seconds} s`;
  return (
    <>
      next try <Moment at={at} />
    </>
  );
}

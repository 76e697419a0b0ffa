'use client';

import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useRouter } from 'next/navigation';
import { useMutation } from '@tanstack/react-query';
import { AddressForm, type Address } from '#components/engines/address-form';
import { SecretWanted, Unknown } from '#components/engines/at-server';
import { EngineEditor } from '#components/engines/engine-editor';
import { Found } from '#components/engines/found';
import { BackLink } from '#components/ui/back-link';
import { Refused } from '#components/ui/refused';
import { toast } from '#components/ui/toast';
import { operatorApi } from '#lib/client/operator-api';
import type { EngineEntryWire, ExaminationWire } from '#lib/contract/engine-schemas';

/** Connects an engine: examines an address, shows what it can make, offers a test, and saves the engine. */
export function ConnectPage({ url }: { url: string }) {
  const router = useRouter();
  const [address, setAddress] = useState<Address>({ url, secret: null });
  const examine = useMutation({
    mutationFn: (body: Address) => operatorApi.examineServer({ body }),
  });
  const look = (given: Address) => {
    setAddress(given);
    examine.mutate(given);
  };
  const isBegun = useRef(false);
  useEffect(() => {
    if (!url || isBegun.current) return;
    isBegun.current = true;
    examine.mutate({ url, secret: null });
  });
  const found = examine.data;
  return (
    <div className="grid grid-cols-1 gap-8">
      <header className="grid gap-3">
        <BackLink href="/admin/engines">All engines</BackLink>
        <h2 className="font-title text-title">Connect an engine</h2>
        <p className="max-w-prose text-sm text-soft">
          A ComfyUI, an OpenAI-compatible media server or a Cog container by its address, or Replicate, fal and OpenAI
          by the key of your account there. Pomona checks what it is and what it can make; nothing changes until you
          connect it.
        </p>
      </header>
      <AddressForm
        initial={address}
        isBusy={examine.isPending}
        onLook={look}
        wantsSecret={found?.wants_secret ?? false}
        isFound={Boolean(found?.type) && !found?.wants_secret}
      />
      <Refused refusal={examine.error} />
      {found?.wants_secret && (
        <InSight>
          <SecretWanted found={found} />
        </InSight>
      )}
      {found?.type === null && !found.wants_secret && (
        <InSight>
          <Unknown found={found}>
            <p className="mt-1">
              A ComfyUI listens on port 8188 unless told otherwise, and on 127.0.0.1 only unless started with{' '}
              <code className="font-mono">--listen</code>.
            </p>
          </Unknown>
        </InSight>
      )}
      {found && found.type !== null && !found.wants_secret && (
        <EngineEditor
          key={`${found.url} ${examine.submittedAt}`}
          initial={entryOf(found, address)}
          found={found}
          there={
            <InSight>
              <Found found={found} />
            </InSight>
          }
          save="Connect"
          onSave={async entry => {
            await operatorApi.addEngine({ body: entry });
            toast({ tone: 'good', title: `${entry.id} is connected.` });
            router.push('/admin/engines');
          }}
        />
      )}
    </div>
  );
}

/** Scrolls until the beginning of an outcome is visible: on a phone it appears below the screen. */
const InSight = ({ children }: { children: ReactNode }) => (
  <div className="relative">
    <span ref={show} className="absolute top-40 scroll-mb-20" />
    {children}
  </div>
);

const show = (place: HTMLElement | null) => place?.scrollIntoView({ block: 'nearest' });

const entryOf = ({ id, type, url, options }: ExaminationWire, { secret }: Address): EngineEntryWire => ({
  id,
  type: type!,
  paused: false,
  servers: [{ id: 'server1', url, secret, places: null }],
  options,
});

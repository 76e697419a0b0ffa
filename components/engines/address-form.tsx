'use client';

import { useState } from 'react';
import { ScanSearch } from 'lucide-react';
import { SecretField, type GivenSecret } from '#components/engines/secret-field';
import { Button } from '#components/ui/button';
import { Field } from '#components/ui/field';
import { Input } from '#components/ui/input';
import { useIsListening } from '#components/ui/use-is-listening';

export interface Address {
  url: string;
  secret: GivenSecret;
}

/** Form for the address of a server, and the secret that the server requires. */
export function AddressForm({
  initial,
  isBusy,
  wantsSecret,
  isFound,
  onLook,
}: {
  initial: Address;
  isBusy: boolean;
  /** Whether the server has asked for a secret, which opens the secret field. */
  wantsSecret: boolean;
  /** Whether a server was found, so that the next step is the primary action. */
  isFound: boolean;
  onLook: (address: Address) => void;
}) {
  const [url, setUrl] = useState(initial.url);
  const [given, setSecret] = useState(initial.secret);
  const [isOpen, setOpen] = useState(false);
  const [isMissing, setMissing] = useState(false);
  // a secret that the server asked for is entered directly, unless the user chooses another way
  const secret = given ?? (wantsSecret && !isOpen ? { value: '' } : null);
  return (
    <form
      inert={!useIsListening()}
      className="grid max-w-3xl gap-4"
      onSubmit={event => {
        event.preventDefault();
        // the secret field stays open while the address is examined, and after a refusal
        setSecret(secret);
        setMissing(!url.trim());
        if (url.trim()) onLook({ url: url.trim(), secret: isFilledIn(secret) ? secret : null });
        else event.currentTarget.querySelector('input')?.focus();
      }}
    >
      <div className="flex flex-wrap items-end gap-3">
        <Field
          label="Address"
          error={isMissing && !url.trim() ? 'Fill this in.' : undefined}
          className="min-w-0 grow basis-72"
        >
          <Input
            value={url}
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            placeholder="http://127.0.0.1:8188, fal.ai, replicate.com"
            onChange={event => setUrl(event.target.value)}
          />
        </Field>
        <Button type="submit" tone={isFound ? 'plain' : 'primary'} busy={isBusy}>
          {!isBusy && <ScanSearch className="size-4" aria-hidden />}
          {isBusy ? 'Checking' : 'Check the address'}
        </Button>
      </div>
      {isOpen || secret ? (
        <SecretField
          value={secret}
          onChange={next => {
            setOpen(true);
            setSecret(next);
          }}
          mayBeKept={false}
        />
      ) : (
        <Button
          tone="ghost"
          size="sm"
          className="-ml-3 justify-self-start"
          onClick={() => {
            setOpen(true);
            setSecret({ value: '' });
          }}
        >
          Add a secret
        </Button>
      )}
    </form>
  );
}

const isFilledIn = (secret: GivenSecret) => secret !== null && Object.values(secret).every(Boolean);

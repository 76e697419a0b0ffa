'use client';

import { useState } from 'react';
import { useRouter } from 'next/navigation';
import { PlugZap } from 'lucide-react';
import { Button } from '#components/ui/button';
import { Field } from '#components/ui/field';
import { Input } from '#components/ui/input';
import { TextLink } from '#components/ui/text-link';

/** Hosted services, offered with their addresses. */
const HOSTED = [
  ['Replicate', 'replicate.com'],
  ['fal', 'fal.ai'],
  ['OpenAI', 'openai.com'],
] as const;

/** Notice that no engine is connected, with the ways to connect one. */
export function NoEngine({ isPreviewOff }: { isPreviewOff: boolean }) {
  return (
    <section
      aria-labelledby="no-engine"
      className="grid gap-6 rounded-lg border bg-raised p-6 sm:p-8 md:grid-cols-[auto_minmax(0,1fr)] md:gap-8"
    >
      <span className="grid size-14 place-items-center rounded-full bg-accent/14 text-accent-ink">
        <PlugZap className="size-6" aria-hidden />
      </span>
      <div className="grid max-w-2xl gap-4">
        <h2 id="no-engine" className="font-title text-title">
          {isPreviewOff
            ? 'No engine is connected: nothing can be made'
            : 'Only previews so far: no engine is connected'}
        </h2>
        <p className="text-soft">
          {isPreviewOff
            ? 'The preview engine is off (PREVIEW=off) and there is no other one, so no model is offered. '
            : 'The built-in preview engine draws what people ask for, so that everything can be tried; no model makes it, and each result says so. '}
          Give the address of a ComfyUI, of an OpenAI-compatible media server (SGLang Diffusion, vLLM-Omni, LocalAI,
          stable-diffusion.cpp) or of a Cog container, or use the key of a service that hosts models.
        </p>
        <AddressForm />
        <p className="flex flex-wrap gap-x-4 gap-y-1 text-sm text-soft">
          With a key:
          {HOSTED.map(([name, url]) => (
            <TextLink key={url} href={`/admin/engines/connect?url=${url}`} className="decoration-1">
              {name}
            </TextLink>
          ))}
        </p>
        <p className="text-xs text-faint">
          Or set <code className="font-mono">COMFYUI_URL</code> and start again, run{' '}
          <code className="font-mono">pomona engine add</code>, or write engines.json.
        </p>
      </div>
    </section>
  );
}

/** Opens the connect page with the entered address. */
function AddressForm() {
  const [url, setUrl] = useState('');
  const router = useRouter();
  return (
    <form
      className="flex flex-wrap items-end gap-3"
      onSubmit={event => {
        event.preventDefault();
        if (url.trim()) router.push(`/admin/engines/connect?url=${encodeURIComponent(url.trim())}`);
      }}
    >
      <Field label="Address" className="min-w-0 grow basis-64">
        <Input
          value={url}
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          placeholder="http://127.0.0.1:8188"
          onChange={event => setUrl(event.target.value)}
        />
      </Field>
      <Button type="submit" tone="primary">
        Connect
      </Button>
    </form>
  );
}
